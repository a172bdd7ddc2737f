// The browser's own question whether to install, held back until it is welcome.
import { signal } from "@preact/signals";

interface Prompt extends Event {
  prompt(): Promise<void>;
}

export const asked = signal<Prompt | null>(null);

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  asked.value = event as Prompt;
});
addEventListener("appinstalled", () => {
  asked.value = null;
});
