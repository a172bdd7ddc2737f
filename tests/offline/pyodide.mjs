// Runs `run()` of a Python file in the packed Pyodide, and prints what it returns.
//     node tests/offline/pyodide.mjs FILE
import { readFileSync } from "node:fs";
import { boot, GAME, make } from "../../static/offline-build/pack.mjs";

try {
  const { files } = await make();
  const began = process.cpuUsage();
  const python = await boot(
    files["python.zip"],
    { [GAME]: readFileSync(files["penultima.zip"]), "/build/job.py": readFileSync(process.argv[2]) },
    { PYTHONPATH: `${GAME}:/build` },
  );
  const job = python.pyimport("job");
  const { user, system } = process.cpuUsage(began);
  console.log(JSON.stringify({ start: (user + system) / 1e6, said: job.run() }));
} catch (error) {
  // Pyodide's own errors would print a million characters of source.
  console.error(String(error?.message ?? error).slice(-4000));
  process.exitCode = 1;
}
