import { describe, expect, it } from "vitest";
import { claimable, present, rivals, type Seat, swappable, unoState } from "../src/state/model";
import { type Effect, initial, type Input, isHeld, isReturning, PREFS, type State, type Tap } from "../src/state/shape";
import { step } from "../src/state/state";
import { tell } from "../src/state/story";
import { why } from "../src/state/why";
import { wished } from "../src/state/wished";
import type { View } from "../src/wire";

const base: View = {
  phase: "round",
  you: 0,
  host: 0,
  rules: "classic",
  seats: [{ name: "Ana", cards: 3 }, { name: "Beto", cards: 4 }, { name: "Carla", cards: 5 }],
  round: 1,
  dealer: 2,
  turn: 0,
  wait: "free",
  top: "r5",
  colour: "r",
  dir: 1,
  pile: 40,
  hand: ["r7", "g2", "W"],
  legal: ["r7", "W=", "draw"],
};

/** A page that has been shown `view`, with everything it was asked to do since. */
class Page {
  state: State = initial(null, PREFS);
  effects: Effect[] = [];
  now = 0;
  private seq = 0;

  constructor(view: Partial<View> = {}) {
    this.put({ k: "from", message: { t: "welcome", v: 1, conn: 1, seat: 0, n: 0 } });
    this.show(view);
    this.effects = [];
  }

  put(input: Input): this {
    const { state, effects } = step(this.state, input, this.now);
    this.state = state;
    this.effects.push(...effects);
    return this;
  }

  show(view: Partial<View>, events: object[] = []): this {
    return this.put({ k: "from", message: { t: "view", seq: ++this.seq, v: { ...base, ...view } as View, e: events as never } });
  }

  tap(tap: Tap): this {
    return this.put({ k: "tap", tap });
  }

  /** The actions sent so far. */
  get acts(): string[] {
    return this.effects.flatMap((each) => (each.do === "request" && each.body.t === "act" ? [each.body.a] : []));
  }

  answer(ok: boolean, code?: string): this {
    const id = this.state.sent.at(-1)!.id;
    return this.put(code === undefined ? { k: "answer", id, ok } : { k: "answer", id, ok, code });
  }
}

describe("playing a card", () => {
  it("raises at the first tap and plays at the second", () => {
    const page = new Page().tap({ on: "card", key: "r7#0" });
    expect(page.state.marked).toEqual(["r7#0"]);
    expect(page.acts).toEqual([]);
    expect(page.tap({ on: "card", key: "r7#0" }).acts).toEqual(["r7"]);
  });

  it("plays once, however often it is tapped", () => {
    const page = new Page();
    for (let k = 0; k < 6; k++) page.tap({ on: "card", key: "r7#0" });
    page.tap({ on: "play" }).tap({ on: "fling", key: "r7#0" });
    expect(page.acts).toEqual(["r7"]);
  });

  it("plays at one tap for those who want that, and at a fling for everybody", () => {
    const page = new Page().tap({ on: "prefs", change: { oneTap: true } }).tap({ on: "card", key: "r7#0" });
    expect(page.acts).toEqual(["r7"]);
    expect(new Page().tap({ on: "fling", key: "r7#0" }).acts).toEqual(["r7"]);
  });

  it("says why a dimmed card does not go", () => {
    expect(new Page().tap({ on: "card", key: "g2#0" }).state.note?.code).toBe("no_match");
    expect(new Page({ turn: 1, legal: [] }).tap({ on: "card", key: "r7#0" }).state.note?.code).toBe("not_your_turn");
    expect(new Page({ paused: ["away"], legal: [] }).tap({ on: "card", key: "r7#0" }).state.note?.code).toBe("paused");
  });

  it("asks for a colour, and can be cancelled", () => {
    const page = new Page().tap({ on: "fling", key: "W#0" });
    expect(page.state.ask?.now).toBe("colour");
    expect(page.acts).toEqual([]);
    expect(page.tap({ on: "cancel" }).state.ask).toBeNull();
    page.tap({ on: "play" }).tap({ on: "colour", colour: "b" });
    expect(page.acts).toEqual(["W=b"]);
  });

  it("asks for the player first, then for the colour", () => {
    const page = new Page({ hand: ["WC1", "r1"], legal: ["WC1=>"], targets: [1, 2] }).tap({ on: "fling", key: "WC1#0" });
    expect(page.state.ask?.now).toBe("player");
    page.tap({ on: "player", seat: 2 });
    expect(page.state.ask?.now).toBe("colour");
    expect(page.tap({ on: "colour", colour: "g" }).acts).toEqual(["WC1=g>2"]);
  });

  it("does not ask whom when there is only one", () => {
    expect(new Page({ hand: ["r7"], legal: ["r7>"], targets: [1] }).tap({ on: "fling", key: "r7#0" }).acts).toEqual(["r7>1"]);
  });

  it("forgets a choice that the table has overtaken", () => {
    const page = new Page().tap({ on: "fling", key: "W#0" }).show({ turn: 1, legal: [] });
    expect(page.state.ask).toBeNull();
    expect(page.state.marked).toEqual([]);
  });

  it("raises the card that was just drawn", () => {
    const page = new Page().show({ wait: "drawn", drawn: "r7", hand: ["r7", "g2", "W", "r7"], legal: ["r7", "pass"] });
    expect(page.state.marked).toEqual(["r7#1"]);
  });
});

describe("several cards in a run", () => {
  const run = { rules: "icebreaker", hand: ["r5", "g5", "b5", "y1"], legal: ["r5", "draw"] };

  it("go one after another, each when the one before was taken", () => {
    const page = new Page(run);
    for (const key of ["r5#0", "g5#0", "b5#0"]) page.tap({ on: "card", key });
    expect(page.state.marked).toEqual(["r5#0", "g5#0", "b5#0"]);
    page.tap({ on: "play" });
    expect(page.acts).toEqual(["r5"]);
    expect(page.answer(true).acts).toEqual(["r5", "g5"]);
    expect(page.answer(true).acts).toEqual(["r5", "g5", "b5"]);
    expect(page.answer(true).acts).toHaveLength(3);
  });

  it("are cut off with a clear word when somebody acts first", () => {
    const page = new Page(run);
    for (const key of ["r5#0", "g5#0", "b5#0"]) page.tap({ on: "card", key });
    page.tap({ on: "play" }).answer(true).answer(false, "too_late");
    expect(page.acts).toEqual(["r5", "g5"]);
    expect(page.state.note).toMatchObject({ key: "run.cut.plain", params: { n: 2 } });
    expect(page.state.marked).toEqual([]);
  });

  it("ask at once for whom a 7 further along swaps with", () => {
    const rules = "classic runs=rank_or_sequence seven_swap=on zero_rotate=on";
    const seats: View["seats"] = [{ name: "Ana", cards: 4 }, { name: "Beto", cards: 3 }, { name: "Carla", cards: 5 }, { name: "Dani", state: "next" }];
    const page = new Page({ rules, seats, hand: ["r6", "r7", "b7", "y1"], legal: ["r6", "draw"] });
    for (const key of ["r6#0", "r7#0"]) page.tap({ on: "card", key });
    page.tap({ on: "play" });
    expect(page.state.ask).toMatchObject({ now: "player" });
    expect(swappable(page.state.table!)).toEqual([1, 2]);
    expect(page.tap({ on: "player", seat: 2 }).acts).toEqual(["r6"]);
    page.show({ rules, seats, hand: ["r7", "b7", "y1"], legal: ["r7>", "b7>"], targets: [1, 2] });
    expect(page.answer(true).acts).toEqual(["r6", "r7>2"]);
  });

  it("end with a card that gives the hand away", () => {
    for (const [card, other, rules] of [["r7", "b7", "seven_swap=on"], ["r0", "b0", "zero_rotate=on"], ["r0", "r1", "zero_rotate=on"], ["r7", "r7", "seven_swap=on twins=on"]]) {
      const hand = [card!, other!, "y1"];
      const page = new Page({ rules: `classic runs=rank_or_sequence ${rules}`, hand, legal: [card === "r7" ? "r7>" : "r0", "draw"], targets: [1, 2] });
      page.tap({ on: "card", key: `${card}#0` }).tap({ on: "card", key: card === other ? `${other}#1` : `${other}#0` });
      expect(page.state.marked, `${rules} ${hand.join(" ")}`).toHaveLength(1);
    }
  });

  it("ask for nobody when the last card goes with them", () => {
    const page = new Page({ rules: "classic runs=rank_or_sequence seven_swap=on", hand: ["r6", "r7"], legal: ["r6", "draw", "uno"] });
    for (const key of ["r6#0", "r7#0"]) page.tap({ on: "card", key });
    expect(page.tap({ on: "play" }).acts).toEqual(["r6"]);
    expect(page.answer(true).acts[1]).toMatch(/^r7>/);
  });

  it("are not lined up where the table plays no runs", () => {
    const page = new Page({ ...run, rules: "classic" }).tap({ on: "card", key: "r5#0" }).tap({ on: "card", key: "g5#0" });
    expect(page.state.marked).toEqual(["r5#0"]);
  });
});

describe("¡UNO! of no use", () => {
  it("waits for the answer to a +4, where a call would do nothing yet", () => {
    const four: Partial<View> = { hand: ["g2", "b3"], wait: "answer", pending: 4, opener: 2, challengeable: true, legal: ["accept", "challenge", "uno"] };
    const page = new Page(four).tap({ on: "uno" });
    expect(page.acts).toEqual([]);
    expect(page.state.note?.code).toBe("must_answer");
    expect(unoState(page.state.table!)).toBe("muted");
    expect(unoState(new Page({ ...four, legal: ["b+2", "accept", "uno"] }).state.table!)).toBe("ready");
  });

  it("waits for a draw when nothing fits", () => {
    const page = new Page({ hand: ["g2", "b3"], legal: ["draw", "uno"] });
    expect(unoState(page.state.table!)).toBe("muted");
    expect(page.tap({ on: "uno" }).state.note?.key).toBe("hint.draw");
    expect(unoState(new Page({ hand: ["r2", "b3"], legal: ["r2", "draw", "uno"] }).state.table!)).toBe("ready");
  });
});

describe("who is at the table", () => {
  const seats: View["seats"] = [{ name: "Ana", cards: 3 }, { name: "Beto", state: "gone" }, { name: "Carla", cards: 5 }, { name: "Dani", state: "out" }];

  it("is not who has left, whose score stays", () => {
    const table = new Page({ seats }).state.table!;
    expect(present(table).map((each) => each.name)).toEqual(["Ana", "Carla", "Dani"]);
    expect(rivals(table).map((each) => each.name)).toEqual(["Carla", "Dani"]);
    expect(table.seats).toHaveLength(4);
  });

  it("may be asked back by who was cut off, not by who has left", () => {
    const states = [null, "away", "standin", "out", "hidden", "eliminated", "gone", "next"] as const;
    const may = states.filter((state) => claimable({ state } as Seat));
    expect(may).toEqual(["away", "standin", "out"]);
  });
});

describe("removing somebody", () => {
  it("asks first, and leads back to where it was asked when it is cancelled", () => {
    const page = new Page().tap({ on: "sheet", sheet: "host" }).tap({ on: "about", sheet: "remove", seat: 1 });
    expect(page.state).toMatchObject({ sheet: "remove", about: { seat: 1, name: "Beto" } });
    expect(page.effects.filter((each) => each.do === "request")).toEqual([]);
    expect(page.tap({ on: "back" }).state).toMatchObject({ sheet: "host", about: null });
  });

  it("asks no more when that person has gone meanwhile, or the number is somebody else's", () => {
    const page = new Page().tap({ on: "about", sheet: "remove", seat: 1 });
    page.show({ seats: [{ name: "Ana", cards: 3 }, { name: "Beto", state: "gone" }, { name: "Carla", cards: 5 }] });
    expect(page.state).toMatchObject({ sheet: null, about: null });
    page.tap({ on: "about", sheet: "remove", seat: 2 }).show({ seats: [{ name: "Ana" }, { name: "Carla" }, { name: "Dani" }] });
    expect(page.state.sheet).toBeNull();
  });
});

describe("a finger that comes down twice", () => {
  it("asks the table once", () => {
    const page = new Page({ phase: "lobby" });
    for (let k = 0; k < 2; k++) page.tap({ on: "host", do: "start" });
    for (let k = 0; k < 2; k++) page.tap({ on: "host", do: "grace", value: 1 });
    page.tap({ on: "host", do: "grace", value: 1.5 });
    for (let k = 0; k < 2; k++) page.tap({ on: "leave" });
    const asked = page.effects.flatMap((each) => (each.do === "request" ? [each.body] : []));
    expect(asked.map((each) => ("do" in each ? each.do : each.t))).toEqual(["start", "grace", "grace", "leave"]);
  });
});

describe("coming back", () => {
  const link = { code: "abcdef", secret: "abcdefghjkmnpqrs", hostKey: null as string | null, far: null };
  const opened = (hostKey: string | null): Page => {
    const page = new Page();
    page.state = initial(null, PREFS);
    return page.put({ k: "link", link: { ...link, hostKey }, known: "Ana", returning: false });
  };

  it("asks who one is, but not with the host's link before the table has said so", () => {
    expect(isReturning(opened(null).state)).toBe(false);
    const host = opened("abcdefghjkmnpqrstuvwxyz2");
    expect(isReturning(host.state)).toBe(true);
    host.put({ k: "from", message: { t: "welcome", v: 1, conn: 1, seat: null, n: 0 } });
    expect(isReturning(host.state)).toBe(false);
    expect(host.state.known).toBe("Ana");
  });

  it("says that a seat was not kept, until one sits again", () => {
    const page = new Page();
    page.state = { ...initial(null, PREFS), returning: true };
    page.put({ k: "from", message: { t: "welcome", v: 1, conn: 1, seat: null, n: 0 } });
    expect(page.effects).toContainEqual({ do: "forget" });
    const { id } = page.state.note!;
    expect(page.put({ k: "note over", id }).state.note?.key).toBe("enter.gone");
    page.put({ k: "from", message: { t: "seated", n: 1, seat: 0, key: "k" } });
    expect(page.state.note).toBeNull();
  });
});

describe("a round that has just begun", () => {
  it("takes the second tap on the button before for no play, also with one tap", () => {
    const page = new Page({ phase: "between" }).tap({ on: "prefs", change: { oneTap: true } });
    page.show({ phase: "round" });
    page.now = 200;
    expect(page.tap({ on: "card", key: "r7#0" }).acts).toEqual([]);
    expect(page.state.marked).toEqual(["r7#0"]);
    page.now = 600;
    expect(page.tap({ on: "card", key: "r7#0" }).acts).toEqual(["r7"]);
  });
});

describe("the back button", () => {
  it("closes what is open, and in a round says first that it leaves", () => {
    const page = new Page();
    expect(isHeld(page.state)).toBe(true);
    page.tap({ on: "sheet", sheet: "menu" }).tap({ on: "back" });
    expect(page.state.sheet).toBeNull();
    page.tap({ on: "card", key: "W#0" }).tap({ on: "play" });
    expect(page.state.ask?.now).toBe("colour");
    expect(page.tap({ on: "back" }).state.ask).toBeNull();
    expect(page.tap({ on: "back" }).state.note?.key).toBe("back.again");
    expect(isHeld(page.state)).toBe(false);
  });

  it("is nobody's business in the lobby, unless a sheet is open", () => {
    const page = new Page({ phase: "lobby" });
    expect(isHeld(page.state)).toBe(false);
    expect(isHeld(page.tap({ on: "sheet", sheet: "menu" }).state)).toBe(true);
  });
});

describe("¡UNO! and Pillar", () => {
  it("calls when the table allows it, and says when if not", () => {
    expect(new Page({ legal: ["uno"], exposed: [0] }).tap({ on: "uno" }).acts).toEqual(["uno"]);
    expect(new Page().tap({ on: "uno" }).state.note?.code).toBe("cannot_call");
  });

  it("still calls while a play is on its way", () => {
    const page = new Page({ legal: ["r7", "uno"] }).tap({ on: "fling", key: "r7#0" }).tap({ on: "uno" });
    expect(page.acts).toEqual(["r7", "uno"]);
  });

  it("catches the one who can be caught", () => {
    expect(new Page({ exposed: [2], legal: ["catch 2"] }).tap({ on: "catch" }).acts).toEqual(["catch 2"]);
  });

  it("asks whom when there are several, never me", () => {
    const page = new Page({ exposed: [0, 1, 2] }).tap({ on: "catch" });
    expect(page.state.ask?.now).toBe("catch");
    expect(page.tap({ on: "player", seat: 1 }).acts).toEqual(["catch 1"]);
  });

  it("rests for two seconds after a catch of nobody", () => {
    const page = new Page().tap({ on: "catch" });
    expect(page.acts).toEqual([]);
    page.show({ exposed: [1] }).tap({ on: "catch" });
    expect(page.acts).toEqual([]);
    page.now = 2001;
    expect(page.tap({ on: "catch" }).acts).toEqual(["catch 1"]);
  });
});

describe("the end of a round", () => {
  it("leaves the last card in sight before the result covers it", () => {
    const page = new Page().show({ phase: "between", wait: "over", legal: [] });
    expect(page.state.revealed).toBe(false);
    const later = page.effects.find((each) => each.do === "after" && each.input.k === "reveal");
    expect(later).toMatchObject({ ms: 2200 });
    page.put({ k: "reveal", seq: 2 });
    expect(page.state.revealed).toBe(true);
  });

  it("is shown at once to who comes back to it", () => {
    expect(new Page({ phase: "between", wait: "over" }).state.revealed).toBe(true);
  });
});

describe("the draw for the deal", () => {
  const drawn = (seat: number, card: string): object => ({ e: "dealer_drawn", seat, card });

  it("is shown for a moment, with what decided a tie", () => {
    const page = new Page({ phase: "lobby" }).show({}, [drawn(0, "r9"), drawn(1, "yS"), drawn(2, "b9"), drawn(0, "r2"), drawn(2, "g7")]);
    expect(page.state.lots).toEqual({ 0: ["r9", "r2"], 1: ["yS"], 2: ["b9", "g7"] });
    const over = page.effects.find((each) => each.do === "after" && each.input.k === "lots over");
    expect(over).toMatchObject({ ms: 1600 });
    expect(page.show({ turn: 1 }).state.lots).not.toBeNull();
    expect(page.put({ k: "lots over" }).state.lots).toBeNull();
  });
});

describe("rules that the table has not answered yet", () => {
  const rules = (page: Page) => wished(page.state, page.state.table!);

  it("are those that the next wish builds on, until they are refused", () => {
    const page = new Page({ phase: "lobby" });
    expect(rules(page).set).toEqual(page.state.table!.set);
    page.tap({ on: "host", do: "rules", value: "party hand_size=5" });
    expect(rules(page)).toMatchObject({ preset: "party", set: { hand_size: 5 } });
    page.tap({ on: "host", do: "rules", value: "party hand_size=4" });
    expect(rules(page).set.hand_size).toBe(4);
    page.answer(false, "not_allowed");
    expect(rules(page).set.hand_size).toBe(5);
  });

  it("leave what is written and drawn up by hand as it is wished", () => {
    const page = new Page({ phase: "lobby", agreed: ["no phones"] });
    expect(rules(page).agreed).toEqual(["no phones"]);
    page.tap({ on: "host", do: "agreed", value: [] }).tap({ on: "host", do: "custom", value: [{ text: "sing", effect: "none" }] });
    expect(rules(page)).toMatchObject({ agreed: [], custom: [{ text: "sing", effect: "none" }] });
  });
});

describe("rules that do not go together", () => {
  it("name the switch", () => {
    const page = new Page({ phase: "lobby" }).tap({ on: "host", do: "rules", value: "classic teams=pairs" });
    const id = page.state.sent.at(-1)!.id;
    page.put({ k: "answer", id, ok: false, code: "bad_rules", field: "teams" });
    expect(page.state.rulesTrouble).toEqual({ field: "teams" });
  });
});

describe("what is said of a tap that did not go", () => {
  const lobby = { phase: "lobby" as const };

  it("is gone once something went well that was asked for after it", () => {
    const page = new Page(lobby).tap({ on: "host", do: "add_bot" }).tap({ on: "host", do: "start" }).answer(false, "too_few");
    expect(page.state.note?.code).toBe("too_few");
    expect(page.answer(true).state.note?.code).toBe("too_few"); // asked for before
    expect(page.tap({ on: "host", do: "add_bot" }).answer(true).state.note).toBeNull();
  });

  it("makes room for a sheet, and for a question", () => {
    expect(new Page(lobby).tap({ on: "host", do: "start" }).answer(false, "too_few").tap({ on: "sheet", sheet: "menu" }).state.note).toBeNull();
    const page = new Page().tap({ on: "card", key: "g2#0" });
    expect(page.state.note?.code).toBe("no_match");
    expect(page.tap({ on: "fling", key: "W#0" }).state.note).toBeNull();
  });

  it("stays, if it is about a name, until the name is another one or no longer needed", () => {
    const entering = (): Page => {
      const page = new Page({ ...lobby, you: undefined as never });
      page.state = { ...page.state, seat: null };
      page.tap({ on: "sit", name: "Ana" }).answer(false, "name_bad");
      return page.put({ k: "note over", id: page.state.note!.id });
    };
    expect(entering().state.note?.code).toBe("name_bad");
    expect(entering().tap({ on: "naming" }).state.note).toBeNull();
    expect(entering().put({ k: "from", message: { t: "seated", n: 1, seat: 0, key: "k" } }).state.note).toBeNull();
  });
});

describe("the challenged hand", () => {
  const shown = { of: 1, cards: ["g1", "b2"], guilty: ["g1"] };

  it("stays until it has been looked at, though the table moves on", () => {
    const page = new Page().show({ shown, turn: 1 }).show({ turn: 2, legal: [] });
    expect(page.state.look).toEqual(shown);
    expect(page.tap({ on: "seen" }).state.seen).toBe(true);
    expect(page.show({ turn: 1 }).state.look).toBeNull();
  });

  it("goes when it is my turn again, and with the round", () => {
    expect(new Page().show({ shown, turn: 1 }).show({ turn: 0 }).state.look).toBeNull();
    expect(new Page().show({ shown, turn: 1 }).show({ phase: "between" }).state.look).toBeNull();
  });
});

describe("without a connection", () => {
  const link = { code: "abcdef", secret: "s", hostKey: null, far: null };
  const lost = (): Page => {
    const page = new Page();
    page.state = { ...page.state, link, online: true };
    page.now = 1000;
    return page.put({ k: "path", online: false, rtc: false });
  };
  const wonders = (page: Page): Input[] => page.effects.flatMap((each) => (each.do === "after" && each.input.k === "wonder" ? [each.input] : []));
  const probes = (page: Page): number => page.effects.filter((each) => each.do === "probe").length;

  it("asks what is wrong after five seconds, and again while it lasts", () => {
    const page = lost();
    expect(page.effects).toContainEqual({ do: "after", ms: 5000, input: { k: "wonder", since: 1000 } });
    page.put({ k: "path", online: false, rtc: false });
    expect(wonders(page)).toHaveLength(1);
    page.put(wonders(page)[0]!);
    expect(probes(page)).toBe(1);
    expect(wonders(page)).toHaveLength(2);
    page.put({ k: "trouble", trouble: "stopped" });
    expect(page.state.trouble).toBe("stopped");
  });

  it("asks nothing once it is back, also when it is lost anew", () => {
    const page = lost();
    page.now = 3000;
    page.put({ k: "path", online: true, rtc: false });
    page.put(wonders(page)[0]!);
    expect(probes(page)).toBe(0);
    page.put({ k: "trouble", trouble: "stopped" });
    expect(page.state.trouble).toBeNull();
    page.now = 4000;
    page.put({ k: "path", online: false, rtc: false });
    page.put(wonders(page)[0]!);
    expect(probes(page)).toBe(0);
    page.put(wonders(page)[1]!);
    expect(probes(page)).toBe(1);
  });

  it("asks on the way in as well, but not by way of a PeerServer", () => {
    const near = new Page().put({ k: "link", link, known: null, returning: false });
    expect(wonders(near)).toHaveLength(1);
    near.put(wonders(near)[0]!);
    expect(probes(near)).toBe(1);
    const far = new Page().put({ k: "link", link: { ...link, far: { id: "i", server: "s" } }, known: null, returning: false });
    expect(wonders(far)).toHaveLength(0);
  });

  it("knows since when it is as it is", () => {
    const page = new Page();
    page.now = 10;
    page.put({ k: "path", online: true, rtc: false });
    page.now = 20;
    page.put({ k: "path", online: true, rtc: false });
    expect(page.state.onlineAt).toBe(10);
    page.put({ k: "path", online: true, rtc: true });
    expect(page.state.onlineAt).toBe(20);
  });
});

describe("rules that change after a round", () => {
  const told = (page: Page): string | undefined => page.show({ phase: "between" }, [{ e: "rules_changed", value: "party" }]).state.note?.key;

  it("are no secret of the host", () => {
    expect(told(new Page())).toBe("note.rules_changed");
    const host = new Page().put({ k: "from", message: { t: "welcome", v: 1, conn: 1, seat: 0, n: 0, host: true } });
    expect(told(host)).toBeUndefined();
    expect(new Page({ phase: "lobby" }).show({ phase: "lobby" }, [{ e: "rules_changed", value: "party" }]).state.note).toBeNull();
  });
});

describe("a page that is opened again", () => {
  it("goes on with the history it had, under numbers of its own", () => {
    const before = new Page().show({}, [{ e: "passed", seat: 1 }, { e: "called", seat: 2 }]).state.log;
    const page = new Page().put({ k: "link", link: { code: "c", secret: "s", hostKey: null, far: null }, known: null, returning: true, log: before });
    page.show({}, [{ e: "passed", seat: 0 }]);
    expect(page.state.log.map((each) => each.event.e)).toEqual(["passed", "called", "passed"]);
    expect(new Set(page.state.log.map((each) => each.id)).size).toBe(3);
  });
});

describe("a seat that was given up", () => {
  it("leaves nothing that waits for an answer", () => {
    const page = new Page().tap({ on: "leave" });
    expect(page.state.sent).toHaveLength(1);
    page.put({ k: "from", message: { t: "closed", code: "left" } });
    expect(page.state.sent).toEqual([]);
  });
});

describe("the last card", () => {
  const seven: Partial<View> = { hand: ["r7"], legal: ["r7>", "draw"], targets: [1, 2] };

  it("asks for nobody to swap with and for no colour: neither comes to pass", () => {
    expect(new Page(seven).tap({ on: "fling", key: "r7#0" }).acts).toEqual(["r7>1"]);
    const wild: Partial<View> = { hand: ["W"], legal: ["W=", "draw"] };
    expect(new Page(wild).tap({ on: "fling", key: "W#0" }).acts).toEqual(["W=r"]);
  });

  it("asks while there is another, and for what a card of the table's own does", () => {
    const page = new Page({ ...seven, hand: ["r7", "b1"] }).tap({ on: "fling", key: "r7#0" });
    expect([page.acts, page.state.ask?.now]).toEqual([[], "player"]);
    const own = new Page({ ...seven, hand: ["WC1"], legal: ["WC1=>"] }).tap({ on: "fling", key: "WC1#0" });
    expect([own.acts, own.state.ask?.now]).toEqual([[], "player"]);
  });
});

describe("a match that the host ends", () => {
  it("is told to those who find themselves in the lobby", () => {
    expect(new Page().show({ phase: "lobby" }).state.note?.key).toBe("note.ended");
    expect(new Page({ phase: "over" }).show({ phase: "lobby" }).state.note).toBeNull();
    const host = new Page().put({ k: "from", message: { t: "welcome", v: 1, conn: 1, seat: 0, n: 0, host: true } });
    expect(host.show({}).show({ phase: "lobby" }).state.note).toBeNull();
  });
});

describe("the name of a seat", () => {
  it("is kept as the table gave it, and when it is another", () => {
    const named = (page: Page): string[] => page.effects.flatMap((each) => (each.do === "named" ? [each.name] : []));
    const page = new Page();
    expect(named(page.show({}))).toEqual([]);
    page.show({ seats: [{ name: "Ana 2" }, { name: "Ana" }] });
    expect(named(page)).toEqual(["Ana 2"]);
    expect(named(page.show({ seats: [{ name: "Ana 2" }, { name: "Ana" }] }))).toEqual(["Ana 2"]);
  });
});

describe("somebody who leaves", () => {
  const told = (page: Page): (string | null)[] => page.state.happening.map(tell);

  it("is told of once, with what became of the cards", () => {
    const page = new Page().show({}, [{ e: "left", seat: 1 }, { e: "taken_out", seat: 1 }]);
    expect(told(page)).toEqual(["Beto se va de la mesa"]);
    expect(why(page.state.happening[0]!, {}, [])).toContain("van al fondo del mazo");
  });

  it("is another than who is taken out and may come back, or who goes between rounds", () => {
    expect(told(new Page().show({}, [{ e: "taken_out", seat: 1 }]))).toEqual(["Beto sale de la ronda"]);
    const page = new Page().show({ phase: "between" }, [{ e: "left", seat: 1 }]);
    expect(told(page)).toEqual(["Beto se va de la mesa"]);
    expect(why(page.state.happening[0]!, {}, [])).toBeNull();
    expect(told(new Page().show({}, [{ e: "left", seat: 1 }, { e: "taken_out", seat: 2 }]))).toHaveLength(2);
  });
});

describe("the links to a table", () => {
  it("are the welcome's, until the table tells others", () => {
    const page = new Page();
    page.put({ k: "from", message: { t: "welcome", v: 1, conn: 1, seat: 0, n: 0, link: "http://a/#b" } });
    expect([page.state.guestLink, page.state.guestLinks]).toEqual(["http://a/#b", []]);
    page.put({ k: "from", message: { t: "links", links: ["https://c/#b", "http://a/#b"] } });
    expect([page.state.guestLink, page.state.guestLinks]).toEqual(["https://c/#b", ["https://c/#b", "http://a/#b"]]);
    page.put({ k: "from", message: { t: "links", links: [] } });
    expect(page.state.guestLink).toBe("https://c/#b");
  });
});
