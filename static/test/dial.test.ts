import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openFar, type Step } from "../src/channel/far";
import { OPEN_MS } from "../src/channel/peer";
import { Seal } from "../src/channel/sealed";
import { initial, PREFS } from "../src/state/shape";
import { step } from "../src/state/state";
import type { FromGuest, ToGuest } from "../src/wire";

const HOST = "abcdefgh23456789";
const SECRET = "s".repeat(16);

/** The PeerServer, seen from the page. */
class Server {
  static all: Server[] = [];
  static readonly OPEN = 1;
  readyState = 1;
  closed = false;
  sent: { type: string; dst: string; payload: { box: string } }[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly own: string;

  constructor(readonly address: URL) {
    this.own = address.searchParams.get("id")!;
    Server.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as never);
  }

  close(): void {
    this.closed = true;
  }

  say(message: object | string): void {
    this.onmessage?.({ data: typeof message === "string" ? message : JSON.stringify(message) });
  }

  /** What the host says, sealed. */
  async host(message: ToGuest, secret = SECRET): Promise<void> {
    const seal = await Seal.of(secret, "to guest");
    this.say({ type: "ANSWER", src: HOST, payload: await seal.seal(JSON.stringify(message), HOST, this.own) });
  }

  /** What the host has heard. */
  async heard(): Promise<FromGuest[]> {
    const seal = await Seal.of(SECRET, "to host");
    const texts = this.sent.map(({ payload }) => seal.open(payload, this.own, HOST));
    return (await Promise.all(texts)).map((text) => JSON.parse(text) as FromGuest);
  }
}

/** As much of a browser's connection as is used. */
class Link {
  static last: Link;
  onicecandidate: (event: { candidate: unknown }) => void = () => {};
  onconnectionstatechange: () => void = () => {};
  connectionState = "new";
  closed = false;
  answer: unknown = null;
  channel = { onopen: () => {}, onmessage: (_: { data: string }) => {}, onclose: () => {}, readyState: "open", send: (text: string) => void this.said.push(text) };
  said: string[] = [];

  constructor(readonly configuration: RTCConfiguration) {
    Link.last = this;
  }

  createDataChannel = () => this.channel;
  createOffer = () => Promise.resolve({ type: "offer", sdp: "v=0" });
  setLocalDescription = () => Promise.resolve();
  setRemoteDescription = (answer: unknown) => Promise.resolve(void (this.answer = answer));
  close(): void {
    this.closed = true;
  }
}

let steps: Step[];
let events: string[];
const dial = () =>
  openFar(
    { id: HOST, server: "peer.example", secret: SECRET },
    { open: () => void events.push("open"), text: (text) => void events.push(text), down: () => void events.push("down") },
    (each) => void steps.push(each),
  );
const until = (true_: () => boolean | Promise<boolean>): Promise<void> => vi.waitFor(async () => expect(await true_()).toBe(true), { timeout: 5000, interval: 5 });
const met = async (): Promise<Server> => {
  await until(() => Server.all.length > 0);
  return Server.all.at(-1)!;
};
const cause = (): string | null => (steps.at(-1) !== undefined && "cause" in steps.at(-1)! ? (steps.at(-1) as { cause: string }).cause : null);

/** As far as the host's answer to the knock. */
async function inside(ice: { urls: string[] }[] = []): Promise<Server> {
  const server = await met();
  server.say({ type: "OPEN" });
  await until(() => server.sent.length === 1);
  await server.host({ t: "opened", id: "ticket", ice });
  await until(() => server.sent.length === 2);
  return server;
}

beforeEach(() => {
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("WebSocket", Server);
  vi.stubGlobal("RTCPeerConnection", Link);
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("navigator", { onLine: false });
  Server.all = [];
  steps = [];
  events = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a dial", () => {
  it("knocks, offers with the host's ticket and servers, and leaves the PeerServer once it is in", async () => {
    const channel = dial();
    const server = await inside([{ urls: ["stun:a.example"] }]);
    Link.last.onicecandidate({ candidate: { candidate: "candidate:1 1 udp 1 203.0.113.5 5000 typ host", sdpMid: "0" } });
    await until(() => server.sent.length === 3);
    expect(server.sent.map((each) => each.type)).toEqual(["OFFER", "OFFER", "CANDIDATE"]);
    expect((await server.heard()).map((each) => [each.t, "id" in each ? each.id : null])).toEqual([["knock", null], ["offer", "ticket"], ["candidate", "ticket"]]);
    expect(Link.last.configuration.iceServers).toEqual([{ urls: ["stun:a.example"] }]);
    await server.host({ t: "answer", id: "ticket", sdp: "v=1" });
    await until(() => Link.last.answer !== null);
    Link.last.channel.onopen();
    Link.last.channel.onmessage({ data: "hola" });
    channel.send("uno");
    expect(events).toEqual(["open", "hola"]);
    expect(Link.last.said).toEqual(["uno"]);
    expect(server.closed).toBe(true);
    expect(steps).toEqual([{ doing: "signalling" }, { doing: "knocking" }, { doing: "joining" }]);
    Link.last.channel.onclose();
    expect(events.at(-1)).toBe("down");
    expect(cause()).toBeNull();
  });

  it("has an id of its own each time", async () => {
    dial();
    const first = await met();
    dial();
    await until(() => Server.all.length === 2);
    expect(Server.all[1]!.own).not.toBe(first.own);
  });

  it("survives a PeerServer that goes once the host has answered", async () => {
    dial();
    const server = await inside();
    await server.host({ t: "answer", id: "ticket", sdp: "v=1" });
    await until(() => Link.last.answer !== null);
    server.onclose?.();
    Link.last.channel.onopen();
    expect(events).toEqual(["open"]);
  });

  it("that is closed says nothing any more", async () => {
    const channel = dial();
    const server = await inside();
    channel.close();
    expect([server.closed, Link.last.closed]).toEqual([true, true]);
    server.say({ type: "EXPIRE" });
    expect(events).toEqual([]);
  });
});

describe("a dial that fails", () => {
  it.each([
    ["host", { type: "EXPIRE", src: HOST }],
    ["signalling", { type: "ERROR", payload: { msg: "Invalid key provided" } }],
    ["signalling", { type: "ID-TAKEN" }],
    ["foreign", { type: "ANSWER", src: HOST, payload: { box: "AAAA" } }],
    ["foreign", { type: "ANSWER", src: HOST, payload: { sdp: "v=0", type: "answer" } }],
    ["foreign", { type: "ANSWER", src: HOST }],
  ])("says why: %s", async (why, message) => {
    dial();
    const server = await met();
    server.say({ type: "OPEN" });
    await until(() => server.sent.length === 1);
    server.say(message);
    await until(() => cause() !== null);
    expect(cause()).toBe(why);
    expect(events).toEqual(["down"]);
    expect(server.closed).toBe(true);
  });

  it.each(["busy", "version"] as const)("because the door is shut: %s", async (code) => {
    dial();
    const server = await met();
    await server.host({ t: "shut", code });
    await until(() => cause() === code);
  });

  it("when an answer is sealed with another secret", async () => {
    dial();
    const server = await inside();
    await server.host({ t: "answer", id: "ticket", sdp: "v=1" }, "another secret of theirs");
    await until(() => cause() === "foreign");
    expect(Link.last.answer).toBeNull();
    expect(Link.last.closed).toBe(true);
  });

  it.each([["way", "bad_message"], ["busy", "too_fast"]])("when the offer is not taken: %s", async (why, code) => {
    dial();
    const server = await inside();
    await server.host({ t: "no_channel", id: "ticket", code });
    await until(() => cause() === why);
  });

  it("when nothing gets through", async () => {
    dial();
    const server = await met();
    server.say({ type: "OPEN" });
    await until(() => server.sent.length === 1);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await server.host({ t: "opened", id: "ticket", ice: [] });
    for (let n = 0; n < 200 && server.sent.length < 2; n++) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(OPEN_MS);
    expect(cause()).toBe("way");
  });

  it("when nobody answers", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    dial();
    vi.advanceTimersByTime(8000);
    expect([cause(), events]).toEqual(["signalling", ["down"]]);
  });

  it("where the page may not seal", async () => {
    vi.stubGlobal("isSecureContext", false);
    dial();
    await until(() => cause() === "insecure");
    expect(Server.all).toEqual([]);
  });

  it("passes over what makes no sense, and what others send", async () => {
    dial();
    const server = await met();
    for (const nonsense of ["", "nonsense", "[]", "null", '{"type":7}', { type: "OFFER", src: HOST }, { type: "ANSWER", src: "somebody" }]) server.say(nonsense);
    server.say({ type: "OPEN" });
    await until(() => server.sent.length === 1);
    expect(events).toEqual([]);
  });
});

describe("what the page says of it", () => {
  it("keeps why the last attempt failed while the next one is made, until it is in", () => {
    let state = initial(null, PREFS);
    const put = (each: Step): void => void (state = step(state, { k: "far", step: each }, 0).state);
    put({ doing: "signalling" });
    expect(state.far).toEqual({ doing: "signalling", cause: null });
    put({ cause: "host" });
    put({ doing: "knocking" });
    expect(state.far).toEqual({ doing: "knocking", cause: "host" });
    state = step(state, { k: "path", online: true, rtc: true }, 0).state;
    expect(state.far).toBeNull();
  });
});
