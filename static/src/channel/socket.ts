// A WebSocket to where the page came from.
import type { Channel, Listener } from "./channel";

const OPEN_MS = 8000;

export function openSocket(code: string, listener: Listener): Channel {
  const address = new URL(`ws/${code}`, document.baseURI);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  const socket = new WebSocket(address);
  let done = false;
  const down = (): void => {
    if (done) return;
    done = true;
    clearTimeout(slow);
    listener.down();
  };
  // A socket that neither opens nor fails (a sleeping router) must not hold up the next try.
  const slow = setTimeout(() => {
    down();
    socket.close();
  }, OPEN_MS);
  socket.onopen = () => {
    clearTimeout(slow);
    if (!done) listener.open();
  };
  socket.onmessage = (event: MessageEvent<unknown>) => {
    if (!done && typeof event.data === "string") listener.text(event.data);
  };
  socket.onclose = down;
  socket.onerror = down;
  return {
    kind: "ws",
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close() {
      done = true;
      clearTimeout(slow);
      socket.close();
    },
  };
}
