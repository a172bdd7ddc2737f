// A WebSocket to where the page came from.
import type { Channel, Listener } from "./channel";

export function openSocket(code: string, listener: Listener): Channel {
  const address = new URL(`ws/${code}`, document.baseURI);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  const socket = new WebSocket(address);
  let done = false;
  const down = (): void => {
    if (done) return;
    done = true;
    listener.down();
  };
  socket.onopen = () => {
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
      socket.close();
    },
  };
}
