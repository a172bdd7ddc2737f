import { describe, expect, it } from "vitest";
import { parseForm, readLegal, writePlay } from "../src/state/forms";
import { evidence, keyed, sorted } from "../src/state/cards";
import { isNear, otherLink, readLink, screenLink } from "../src/state/link";
import { readRules, writeRules } from "../src/state/rules";

describe("the forms of a move", () => {
  it("tells a card that needs nothing from one that needs a colour, a player, or both", () => {
    expect(parseForm("r7")).toEqual({ kind: "play", card: "r7", colour: false, player: false });
    expect(parseForm("W+4=")).toEqual({ kind: "play", card: "W+4", colour: true, player: false });
    expect(parseForm("b7>")).toEqual({ kind: "play", card: "b7", colour: false, player: true });
    expect(parseForm("WC1=>")).toEqual({ kind: "play", card: "WC1", colour: true, player: true });
    expect(parseForm("g+2")).toEqual({ kind: "play", card: "g+2", colour: false, player: false });
  });

  it("leaves alone what a newer table may say", () => {
    expect(parseForm("sing")).toBeNull();
    expect(readLegal(["sing", "draw"]).draw).toBe(true);
  });

  it("reads everything a seat may do", () => {
    const may = readLegal(["r7", "W=", "draw", "uno", "catch 2", "colour "]);
    expect([...may.plays.keys()]).toEqual(["r7", "W"]);
    expect(may).toMatchObject({ draw: true, pass: false, uno: true, catches: true, colour: true });
  });

  it("writes what it read", () => {
    expect(writePlay("r7", null, 2)).toBe("r7>2");
    expect(writePlay("WC1", "b", 0)).toBe("WC1=b>0");
    expect(writePlay("W", "y", null)).toBe("W=y");
  });
});

describe("a hand", () => {
  it("tells equal cards apart, whatever else comes and goes", () => {
    expect(keyed(["r7", "b1", "r7"]).map((each) => each.key)).toEqual(["r7#0", "b1#0", "r7#1"]);
  });

  it("sorts by colour, by number, or not at all, with wilds last", () => {
    const hand = keyed(["W", "b1", "r9", "r1", "gS"]);
    expect(sorted(hand, "colour").map((each) => each.card)).toEqual(["r1", "r9", "gS", "b1", "W"]);
    expect(sorted(hand, "number").map((each) => each.card)).toEqual(["r1", "b1", "r9", "gS", "W"]);
    expect(sorted(hand, "none").map((each) => each.card)).toEqual(["W", "b1", "r9", "r1", "gS"]);
  });
});

describe("a link", () => {
  it("is read with and without the host's key", () => {
    const guest = "#abcdef.abcdefghjkmnpqrs";
    expect(readLink(guest)).toEqual({ code: "abcdef", secret: "abcdefghjkmnpqrs", hostKey: null, far: null });
    expect(readLink(`http://a:1/${guest}.abcdefghjkmnpqrstuvwxyz2`)?.hostKey).toBe("abcdefghjkmnpqrstuvwxyz2");
  });

  it("is refused when half of it is missing", () => {
    for (const bad of ["", "#", "#abcdef", "#abcdef.short", "http://a:1/"]) expect(readLink(bad)).toBeNull();
  });
});

describe("the shared screen's link", () => {
  it("is the table's, without the host's key", () => {
    const guests = "#kfb3nq.abcdefghjkmnpqrs";
    for (const base of ["http://192.168.1.23:8770", "https://uno.example.org", "https://example.org/uno"]) {
      expect(screenLink(`${base}/${guests}`)).toBe(`${base}/mesa${guests}`);
    }
  });
});

describe("where a link leads", () => {
  it("is near for addresses of the own network", () => {
    const near = ["192.168.1.2", "10.0.0.9:80", "172.20.1.1", "localhost:8765", "[fd00::2]:1", "[::1]", "laptop", "laptop.local"];
    for (const host of near) expect(isNear(`http://${host}/#a.b`), host).toBe(true);
    expect(isNear("")).toBe(true);
  });

  it("is anywhere for all others", () => {
    for (const host of ["uno.example.org", "172.32.1.1", "203.0.113.4:8765", "[2001:db8::2]", "x.trycloudflare.com"]) {
      expect(isNear(`https://${host}/#a.b`), host).toBe(false);
    }
  });
});

describe("another link to the table", () => {
  it("is told apart by for whom it is, and where that is the same by where it leads", () => {
    const [wifi, wired, away] = ["http://192.168.1.23:8765/#a.b", "http://[fd00::2]:8765/#a.b", "https://x.trycloudflare.com/#a.b"];
    expect(otherLink(wifi, away).kind).toBe("far");
    expect(otherLink(away, wired).kind).toBe("near");
    expect(otherLink(wifi, wired)).toEqual({ kind: "same", address: "[fd00::2]:8765" });
    expect(otherLink(wired, wifi)).toEqual({ kind: "same", address: "192.168.1.23:8765" });
  });
});

describe("rules in notation", () => {
  it("survive reading and writing", () => {
    for (const text of ["classic", "classic stacking=same seven_swap=on", "party hand_size=5 target=200"]) {
      const { preset, set } = readRules(text);
      expect(writeRules(preset, set).split(" ").sort()).toEqual(text.split(" ").sort());
    }
  });

  it("drop a change that is none", () => {
    const { preset, set } = readRules("party jump_in=on");
    expect(writeRules(preset, set)).toBe("party");
  });
});

describe("a hand that a challenge shows", () => {
  it("begins with what proves the bluff, however often the card is there", () => {
    const shown = evidence({ cards: ["g6", "W", "y2", "r0", "yS", "y2"], guilty: ["y2", "yS"] });
    expect(shown.map(({ card, guilty }) => `${card}${guilty ? "!" : ""}`)).toEqual(["y2!", "yS!", "r0", "y2", "g6", "W"]);
  });

  it("is in the order of a hand when there was no bluff", () => {
    expect(evidence({ cards: ["b1", "W+4", "r9"] }).map(({ card }) => card)).toEqual(["r9", "b1", "W+4"]);
  });
});
