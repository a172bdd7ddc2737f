// Why the table cannot be reached, as far as a page can find out by asking its own host once.

/** offline: this device has no network. unreachable: the host's machine does not answer (another
 * network, VPN, firewall, a Wi-Fi that keeps its members apart). stopped: it answers, the program
 * does not. blocked: the program answers, and only its sockets do not come through. */
export type Trouble = "offline" | "unreachable" | "stopped" | "blocked";

const PATIENCE_MS = 4500;

/** Chromium on phones tells what kind of network there is. */
interface Network {
  type?: string;
}

/** At most `PATIENCE_MS`. `near`: the host is in the same network, if it is the right one. */
export async function probe(near: boolean): Promise<Trouble> {
  if (!navigator.onLine) return "offline";
  const network = (navigator as { connection?: Network }).connection;
  if (near && network?.type === "cellular") return "unreachable";
  try {
    const answer = await fetch(new URL("healthz", document.baseURI), {
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const told = answer.ok ? ((await answer.json()) as { ok?: unknown }) : null;
    return told?.ok === true ? "blocked" : "stopped";
  } catch (error) {
    if (!navigator.onLine) return "offline";
    const late = error instanceof DOMException && ["TimeoutError", "AbortError"].includes(error.name);
    return late ? "unreachable" : "stopped";
  }
}
