import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { offerPeer, OPEN_MS, RELAY_MS } from "../src/channel/peer";
import type { FromPage } from "../src/wire";

/** As much of a browser's connection as is used. */
class Link {
  static all: Link[] = [];
  onicecandidate: (event: { candidate: unknown }) => void = () => {};
  onconnectionstatechange: () => void = () => {};
  connectionState = "new";
  closed = false;
  channel = { onopen: () => {}, onmessage: () => {}, onclose: () => {}, readyState: "connecting" };

  constructor(readonly configuration: RTCConfiguration) {
    Link.all.push(this);
  }

  createDataChannel = () => this.channel;
  createOffer = () => Promise.resolve({ type: "offer", sdp: "v=0" });
  setLocalDescription = () => Promise.resolve();
  close(): void {
    this.closed = true;
  }

  gathered(kind: string): void {
    const candidate = `candidate:1 1 udp 1 203.0.113.5 50000 typ ${kind} raddr 0.0.0.0 rport 0`;
    this.onicecandidate({ candidate: { candidate, sdpMid: "0" } });
  }
}

let said: FromPage[];
let downs: number;
const listener = { open() {}, text() {}, down: () => void downs++ };
const kinds = (): string[] =>
  said.flatMap((each) => (each.t === "candidate" ? [/ typ (\w+)/.exec(each.candidate)![1]!] : []));
const offer = (...servers: { urls: string[] }[]) => {
  const peer = offerPeer((message) => said.push(message), listener, servers);
  return { peer, link: Link.all.at(-1)! };
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("RTCPeerConnection", Link);
  said = [];
  downs = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("an offer", () => {
  it("asks nobody where the host named nobody, and whom it named otherwise", () => {
    expect(offer().link.configuration.iceServers).toEqual([]);
    const server = { urls: ["stun:a.example:3478"] };
    expect(offer(server).link.configuration.iceServers).toEqual([server]);
  });

  it("is made with a connection of its own each time", () => {
    expect(offer().link).not.toBe(offer().link);
  });

  it("holds relays back for a second, and nothing else", () => {
    const { link } = offer();
    for (const kind of ["host", "relay", "srflx", "relay"]) link.gathered(kind);
    expect(kinds()).toEqual(["host", "srflx"]);
    vi.advanceTimersByTime(RELAY_MS);
    expect(kinds()).toEqual(["host", "srflx", "relay", "relay"]);
    link.gathered("relay");
    expect(kinds()).toHaveLength(5);
  });

  it("does not name a relay once there is a direct way", () => {
    const { link } = offer();
    link.gathered("relay");
    link.channel.onopen();
    vi.advanceTimersByTime(OPEN_MS);
    expect(kinds()).toEqual([]);
    expect(downs).toBe(0);
  });

  it("that leads nowhere is given up, with its relays", () => {
    const { link } = offer();
    link.gathered("relay");
    vi.advanceTimersByTime(OPEN_MS);
    expect(downs).toBe(1);
    expect(link.closed).toBe(true);
  });
});
