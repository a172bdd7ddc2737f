// gallery.html?show=NAME&lang=LANG shows one scene; without a name, all card faces and a list.
import { render } from "preact";
import "../src/look/look.css";
import { Back, Face } from "../src/cards/card";
import { App } from "../src/screens/app";
import { pretend, put, setLanguage, state } from "../src/store";
import { SCENES } from "./scenes";

// For playing with it from the console: `put({ k: "from", message: ... })`.
Object.assign(window, { put, shared: state });

const query = new URLSearchParams(location.search);
setLanguage((query.get("lang") ?? "es") as "es");
const scene = SCENES[query.get("show") ?? ""];
const app = document.getElementById("app")!;
if (scene !== undefined) {
  pretend(scene());
  render(<App onLink={() => undefined} />, app);
} else {
  const faces = ["r", "y", "g", "b"].flatMap((c) => [..."0123456789SR", "+2"].map((rank) => c + rank));
  render(
    <div style={{ padding: "12px", background: "#33203a" }}>
      {[84, 44].map((w) => (
        <div key={w} style={{ display: "flex", flexWrap: "wrap", gap: "6px", "--w": `${w}px`, marginBottom: "20px" }}>
          {[...faces, "W", "W+4", "WH", "WC1", "WC2", "WC3"].map((card) => (
            <span key={card} class="card">
              <Face card={card} />
            </span>
          ))}
          <span class="card">
            <Back />
          </span>
        </div>
      ))}
      {Object.keys(SCENES).map((name) => (
        <a key={name} href={`?show=${name}`} style={{ color: "#fff", marginRight: "12px" }}>
          {name}
        </a>
      ))}
    </div>,
    app,
  );
}
