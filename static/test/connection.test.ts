import { afterEach, describe, expect, it, vi } from "vitest";
import { read } from "../src/channel/peer";
import { probe } from "../src/device/probe";

type Stats = Parameters<typeof read>[0];
const pair = (local: object, remote: object, more: object = {}): Stats =>
  [
    { id: "T", type: "transport", selectedCandidatePairId: "P" },
    { id: "O", type: "candidate-pair", localCandidateId: "R", remoteCandidateId: "H", state: "succeeded" },
    { id: "P", type: "candidate-pair", localCandidateId: "L", remoteCandidateId: "M", currentRoundTripTime: 0.034, nominated: true, state: "succeeded", ...more },
    { id: "L", type: "local-candidate", ...local },
    { id: "M", type: "remote-candidate", ...remote },
    { id: "R", type: "local-candidate", candidateType: "relay", relayProtocol: "tcp" },
    { id: "H", type: "remote-candidate", candidateType: "host" },
  ] as unknown as Stats;

describe("what the browser says of a data channel", () => {
  it("is direct, however the address was found", () => {
    for (const candidateType of ["host", "srflx", "prflx"]) {
      expect(read(pair({ candidateType }, { candidateType: "host" }))).toEqual({ relay: null, rtt: 34 });
    }
  });

  it("is through a relay, with the transport to it", () => {
    for (const relayProtocol of ["udp", "tcp", "tls"]) {
      expect(read(pair({ candidateType: "relay", relayProtocol }, { candidateType: "prflx" })).relay).toBe(relayProtocol);
    }
    expect(read(pair({ candidateType: "host" }, { candidateType: "relay" })).relay).toBe("udp");
  });

  it("is found without a transport (Firefox), and is nothing while there is no pair", () => {
    const [, ...firefox] = pair({ candidateType: "relay", relayProtocol: "udp" }, { candidateType: "host" }) as unknown as object[];
    expect(read(firefox as unknown as Stats)).toEqual({ relay: "udp", rtt: 34 });
    expect(read([] as unknown as Stats)).toEqual({ relay: null, rtt: null });
  });
});

describe("why a table cannot be reached", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  function world(answer: () => Promise<unknown>, navigator: object = { onLine: true }): void {
    vi.stubGlobal("navigator", navigator);
    vi.stubGlobal("document", { baseURI: "http://192.168.1.7:8765/" });
    vi.stubGlobal("fetch", answer);
  }
  const json = (body: unknown, ok = true) => async () => ({ ok, json: async () => body });
  const fails = (error: Error) => async () => {
    throw error;
  };

  it.each([
    ["offline", json({ ok: true }), { onLine: false }],
    ["unreachable", json({ ok: true }), { onLine: true, connection: { type: "cellular" } }],
    ["unreachable", fails(new DOMException("", "TimeoutError")), { onLine: true }],
    ["stopped", fails(new TypeError("Failed to fetch")), { onLine: true }],
    ["stopped", json({ ok: true }, false), { onLine: true }],
    ["stopped", json({ hello: "a router's page" }), { onLine: true }],
    ["stopped", async () => ({ ok: true, json: fails(new SyntaxError("<html>")) }), { onLine: true }],
    ["blocked", json({ ok: true, tables: 1 }), { onLine: true }],
    ["blocked", json({ ok: true }), { onLine: true, connection: { type: "wifi" } }],
  ])("is %s", async (expected, answer, navigator) => {
    world(answer as () => Promise<unknown>, navigator);
    expect(await probe(true)).toBe(expected);
  });

  it("mobile data is no fault on the way to a public address", async () => {
    world(json({ ok: true }), { onLine: true, connection: { type: "cellular" } });
    expect(await probe(false)).toBe("blocked");
  });
});
