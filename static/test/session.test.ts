import { beforeEach, describe, expect, it } from "vitest";
import type { Channel, Clock, Listener } from "../src/channel/channel";
import type { Peer } from "../src/channel/peer";
import { TRIES } from "../src/channel/requests";
import { Session } from "../src/channel/session";
import { BEAT_MS, DEAD_MS, QUIET_MS, RESEND_MS, STALE_MS, WATCH_MS } from "../src/channel/times";
import type { FromPage, FromTable, IceServer } from "../src/wire";

/** Time that moves when told to. */
class Hands implements Clock {
  at = 0;
  private due: { at: number; run: () => void }[] = [];

  now(): number {
    return this.at;
  }

  after(ms: number, run: () => void): () => void {
    const entry = { at: this.at + ms, run };
    this.due.push(entry);
    return () => {
      this.due = this.due.filter((each) => each !== entry);
    };
  }

  pass(ms: number): void {
    const end = this.at + ms;
    for (;;) {
      const next = this.due.filter((each) => each.at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.due = this.due.filter((each) => each !== next);
      this.at = Math.max(this.at, next.at);
      next.run();
    }
    this.at = end;
  }

  /** The page is held up: what was due comes late. */
  stand(ms: number): void {
    this.at += ms;
  }
}

class Line implements Channel {
  said: FromPage[] = [];
  closed = false;

  constructor(
    readonly kind: "ws" | "rtc",
    readonly listener: Listener,
  ) {}

  send(text: string): void {
    this.said.push(JSON.parse(text) as FromPage);
  }

  close(): void {
    this.closed = true;
  }

  hear(): void {}

  say(message: FromTable): void {
    this.listener.text(JSON.stringify(message));
  }

  of<T extends FromPage["t"]>(t: T): Extract<FromPage, { t: T }>[] {
    return this.said.filter((each): each is Extract<FromPage, { t: T }> => each.t === t);
  }
}

let clock: Hands;
let sockets: Line[];
let peers: Line[];
let servers: (readonly IceServer[])[];
let messages: FromTable[];
let answers: [number, boolean, string | undefined][];
let paths: [boolean, boolean][];
let session: Session;

const me = { secret: "s", key: null as string | null, host: null, lang: "es", watch: false };
const last = (): Line => sockets.at(-1)!;
const welcome = (n: number, seat: number | null = 0): FromTable => ({ t: "welcome", v: 1, conn: 1, seat, n });
const view = (seq: number): FromTable => ({ t: "view", seq, v: { phase: "lobby" } as never, e: [] });

beforeEach(() => {
  clock = new Hands();
  sockets = [];
  peers = [];
  servers = [];
  messages = [];
  answers = [];
  paths = [];
  session = new Session(
    {
      socket(listener) {
        sockets.push(new Line("ws", listener));
        return last();
      },
      peer(_, listener, ice) {
        const line = new Line("rtc", listener);
        servers.push(ice);
        peers.push(line);
        return line as unknown as Peer;
      },
    },
    clock,
    {
      message: (message) => messages.push(message),
      answer: (id, ok, code) => answers.push([id, ok, code]),
      path: (online, rtc) => paths.push([online, rtc]),
    },
    me,
  );
});

function seated(n = 0): Line {
  session.dial({ ...me, key: "k" });
  last().listener.open();
  last().say(welcome(n));
  return last();
}

describe("numbers", () => {
  it("count up from what the table has, at a distance from those of an older page", () => {
    const line = seated(7);
    session.request(1, { t: "act", seq: 3, a: "draw" });
    session.request(2, { t: "act", seq: 3, a: "pass" });
    expect(line.of("act").map((each) => each.n)).toEqual([1008, 1009]);
  });

  it("of a newer page make void what this one had asked", () => {
    seated();
    session.request(1, { t: "act", seq: 3, a: "draw" });
    last().listener.down();
    clock.pass(300);
    last().listener.open();
    last().say(welcome(35));
    expect(last().of("act")).toEqual([]);
    expect(answers).toEqual([[1, false, "stale"]]);
    session.request(2, { t: "act", seq: 9, a: "pass" });
    expect(last().of("act").map((each) => each.n)).toEqual([36]);
  });

  it("stay although the seat has another number by now", () => {
    seated();
    session.request(1, { t: "act", seq: 3, a: "draw" });
    last().listener.down();
    clock.pass(300);
    last().listener.open();
    last().say(welcome(0, 4));
    expect(last().of("act").map((each) => each.n)).toEqual([1]);
  });

  it("are asked again when it was only too fast", () => {
    const line = seated();
    session.request(1, { t: "act", seq: 1, a: "r7" });
    line.say({ t: "refused", n: 1, code: "too_fast" });
    expect(answers).toEqual([]);
    clock.pass(RESEND_MS + 600);
    expect(line.of("act").map((each) => each.n)).toEqual([1, 1]);
  });

  it("wait for the welcome when something was asked before it", () => {
    session.dial(me);
    session.request(1, { t: "sit", name: "Ana" });
    last().listener.open();
    expect(last().of("sit")).toEqual([]);
    last().say(welcome(0, null));
    expect(last().of("sit").map((each) => each.n)).toEqual([1]);
  });

  it("stay the same when nothing was answered for two seconds", () => {
    const line = seated();
    session.request(1, { t: "act", seq: 1, a: "r7" });
    clock.pass(RESEND_MS + 600);
    expect(line.of("act").map((each) => each.n)).toEqual([1, 1]);
    line.say({ t: "done", n: 1, seq: 2 });
    clock.pass(RESEND_MS * 2);
    expect(line.of("act")).toHaveLength(2);
    expect(answers).toEqual([[1, true, undefined]]);
  });

  it("stay the same after a reconnection, and the answer comes once", () => {
    seated();
    session.request(1, { t: "act", seq: 1, a: "r7" });
    last().listener.down();
    clock.pass(1000);
    expect(sockets).toHaveLength(2);
    last().listener.open();
    last().say(welcome(1));
    expect(last().of("act").map((each) => each.n)).toEqual([1]);
    last().say({ t: "done", n: 1, seq: 4 });
    last().say({ t: "done", n: 1, seq: 4 });
    expect(answers).toHaveLength(1);
    session.request(2, { t: "act", seq: 4, a: "g1" });
    expect(last().of("act").at(-1)?.n).toBe(2);
  });

  it("tell a refusal apart", () => {
    const line = seated();
    session.request(5, { t: "act", seq: 1, a: "r7" });
    line.say({ t: "refused", n: 1, code: "no_match" });
    expect(answers).toEqual([[5, false, "no_match"]]);
  });

  it("are found again when the table could not read them", () => {
    const line = seated();
    session.request(1, { t: "act", seq: 1, a: "r7" });
    session.request(2, { t: "host", do: "title", value: "x".repeat(9000) });
    line.say({ t: "refused", n: 0, code: "too_big" });
    expect(answers).toEqual([]); // it may be either
    line.say({ t: "refused", n: 0, code: "bad_message", field: "value" });
    expect(answers).toEqual([[2, false, "bad_message"]]);
    line.say({ t: "refused", n: 0, code: "bad_message", field: "sdp" });
    expect(answers).toHaveLength(1); // that was no request
    line.say({ t: "refused", n: 0, code: "too_big" });
    expect(answers.at(-1)).toEqual([1, false, "too_big"]);
    clock.pass(RESEND_MS * 3);
    expect(line.of("act")).toHaveLength(1);
  });

  describe("that are never answered", () => {
    /** The table is there all the time, and says so. */
    const listening = (line: Line, ms: number): void => {
      for (let passed = 0; passed < ms; passed += 1000) {
        clock.pass(1000);
        line.say({ t: "pong", i: 1 });
      }
    };

    it("are given up after five tries", () => {
      const line = seated();
      session.request(1, { t: "act", seq: 1, a: "r7" });
      listening(line, RESEND_MS * 10);
      expect(line.of("act")).toHaveLength(TRIES);
      expect(answers).toEqual([[1, false, "unanswered"]]);
    });

    it("are repeated all the same to a table that decides nothing for now", () => {
      const line = seated();
      session.request(1, { t: "act", seq: 1, a: "r7" });
      line.say({ t: "notice", code: "disk" });
      listening(line, RESEND_MS * 10);
      expect(line.of("act").length).toBeGreaterThan(TRIES);
      expect(answers).toEqual([]);
      line.say(view(3));
      listening(line, RESEND_MS * 10);
      expect(answers).toEqual([[1, false, "unanswered"]]);
    });

    it("wait for the host, if they ask for a seat back", () => {
      const line = seated();
      session.request(1, { t: "claim", seat: 2 });
      listening(line, RESEND_MS * 20);
      expect(line.of("claim").length).toBeGreaterThan(TRIES);
      expect(answers).toEqual([]);
    });
  });
});

describe("views", () => {
  it("that are not newer are dropped", () => {
    const line = seated();
    for (const seq of [3, 3, 2, 4]) line.say(view(seq));
    expect(messages.filter((each) => each.t === "view").map((each) => (each as { seq: number }).seq)).toEqual([3, 4]);
  });

  it("of a new connection count from scratch", () => {
    seated().say(view(9));
    session.wake(true);
    last().listener.open();
    last().say(welcome(0));
    last().say(view(9));
    expect(messages.filter((each) => each.t === "view")).toHaveLength(2);
  });
});

/** The table answers on this line for so long. */
function answering(line: Line, ms: number): void {
  for (let passed = 0; passed < ms; passed += 500) {
    clock.pass(500);
    line.say({ t: "pong", i: 1 });
  }
}

describe("the heartbeat", () => {
  it("carries the newest view's number every one and a half seconds", () => {
    const line = seated();
    line.say(view(12));
    clock.pass(BEAT_MS * 2 + 10);
    expect(line.of("ping").map((each) => each.seq)).toEqual([12, 12, 12]);
  });

  it("begins with the first view of a connection", () => {
    const line = seated();
    line.say(view(12));
    line.say(view(13));
    expect(line.of("ping").map((each) => each.seq)).toEqual([12]);
  });

  it("gives a silent line up and dials again", () => {
    const line = seated();
    clock.pass(STALE_MS + BEAT_MS + 10);
    expect(line.closed).toBe(true);
    expect(paths.at(-1)).toEqual([false, false]);
    clock.pass(300);
    expect(sockets).toHaveLength(2);
  });

  it("tells of three seconds of silence at the moment, and of its end", () => {
    const line = seated();
    clock.pass(700);
    line.say({ t: "ping", i: 1 });
    clock.pass(QUIET_MS - 1);
    expect(paths.at(-1)).toEqual([true, false]);
    clock.pass(1);
    expect(paths.at(-1)).toEqual([false, false]);
    expect(sockets).toHaveLength(1);
    line.say({ t: "ping", i: 2 });
    expect(paths.at(-1)).toEqual([true, false]);
  });

  it("takes the time in which the page stood still for no silence", () => {
    const line = seated();
    answering(line, 5000);
    clock.stand(60_000);
    clock.pass(1000);
    expect(sockets).toHaveLength(1);
    expect(paths.at(-1)).toEqual([true, false]);
    clock.pass(STALE_MS + BEAT_MS);
    expect(line.closed).toBe(true);
  });

  it("answers the table's own", () => {
    const line = seated();
    line.say({ t: "ping", i: 4 });
    expect(line.of("pong")).toEqual([{ t: "pong", i: 4 }]);
  });
});

describe("the data channel", () => {
  it("is offered once seated, and carries what is asked from then on", () => {
    const line = seated();
    expect(peers).toHaveLength(1);
    peers[0]!.listener.open();
    session.request(1, { t: "act", seq: 1, a: "draw" });
    expect(line.of("act")).toEqual([]);
    expect(peers[0]!.of("act").map((each) => each.n)).toEqual([1]);
    expect(paths.at(-1)).toEqual([true, true]);
  });

  it("asks the servers that the table named last, and on a new dial those of that one", () => {
    const server = (credential: string): IceServer => ({ urls: ["turn:a.example:3478"], username: "u", credential });
    session.dial({ ...me, key: "k" });
    last().listener.open();
    last().say({ t: "ice", servers: [server("first")] });
    last().say(welcome(0));
    last().say({ t: "ice", servers: [server("renewed")] });
    peers[0]!.listener.down();
    clock.pass(3100);
    session.wake(true);
    last().listener.open();
    last().say(welcome(0));
    expect(servers).toEqual([[server("first")], [server("renewed")], []]);
    expect(messages.filter((each) => each.t === "ice")).toEqual([]);
  });

  it("is not offered without a seat", () => {
    session.dial(me);
    last().listener.open();
    last().say(welcome(0, null));
    expect(peers).toEqual([]);
  });

  it("hands back to the standby when it fails, with what was unanswered", () => {
    const line = seated();
    peers[0]!.listener.open();
    session.request(1, { t: "act", seq: 1, a: "draw" });
    peers[0]!.listener.down();
    expect(line.of("act").map((each) => each.n)).toEqual([1]);
    expect(paths.at(-1)).toEqual([true, false]);
    clock.pass(3100);
    expect(peers).toHaveLength(2);
  });

  it("is let go before a new hello, so that its closing is nobody's", () => {
    seated();
    peers[0]!.listener.open();
    session.wake(true);
    expect(peers[0]!.closed).toBe(true);
    peers[0]!.say({ t: "closed", code: "replaced" });
    expect(messages.filter((each) => each.t === "closed")).toEqual([]);
  });
});

describe("of two paths", () => {
  const both = (): [Line, Line] => {
    const line = seated();
    peers[0]!.listener.open();
    return [line, peers[0]!];
  };

  it("the socket beats, and the channel says something now and then", () => {
    const [line, peer] = both();
    for (let k = 0; k < 18; k++) {
      answering(line, 500);
      peer.say({ t: "pong", i: 1 });
    }
    expect(line.of("ping")).toHaveLength(6);
    expect(peer.of("ping")).toHaveLength(2);
  });

  it("the channel beats when it is alone", () => {
    const [line, peer] = both();
    line.listener.down();
    answering(peer, BEAT_MS * 3);
    expect(peer.of("ping")).toHaveLength(3);
  });

  it("the one that does not answer is not asked twice", () => {
    const [line, peer] = both();
    session.request(1, { t: "act", seq: 1, a: "draw" });
    answering(line, RESEND_MS + BEAT_MS);
    expect(peer.of("act")).toHaveLength(1);
    expect(line.of("act").map((each) => each.n)).toEqual([1]);
    // It is asked whether it is there, and is the better one again when it says so.
    expect(peer.of("ping").length).toBeGreaterThan(0);
    peer.say({ t: "pong", i: 1 });
    line.say({ t: "done", n: 1, seq: 2 });
    session.request(2, { t: "act", seq: 2, a: "pass" });
    expect(peer.of("act").map((each) => each.n)).toEqual([1, 2]);
  });

  it("a dead one is let go", () => {
    const [line, peer] = both();
    answering(line, DEAD_MS + BEAT_MS);
    expect(peer.closed).toBe(true);
    expect(paths.at(-1)).toEqual([true, false]);
    expect(WATCH_MS).toBeLessThan(DEAD_MS);
  });
});

describe("dialling", () => {
  it("gives a socket that does not open the time that the last one took, four times, and two seconds", () => {
    seated();
    last().listener.down();
    clock.pass(300);
    expect(sockets).toHaveLength(2);
    clock.pass(1900);
    expect(sockets).toHaveLength(2);
    clock.pass(400);
    expect(last().closed).toBe(false);
    expect(sockets).toHaveLength(3);
  });

  it("waits longer where nothing has opened yet, and where the way is long", () => {
    session.dial({ ...me, key: "k" });
    clock.pass(1500);
    expect(sockets).toHaveLength(1);
    last().listener.open();
    last().say(welcome(0));
    last().listener.down();
    clock.pass(5900);
    expect(sockets).toHaveLength(2);
    clock.pass(700);
    expect(sockets).toHaveLength(3);
  });

  it("is tried again within two seconds, however long it has been in vain", () => {
    seated();
    last().listener.down();
    for (let k = 0; k < 50; k++) {
      const before = sockets.length;
      clock.pass(1600);
      expect(sockets.length).toBeGreaterThan(before);
      last().listener.down();
    }
  });
});

describe("being replaced", () => {
  it("ends the talk: no dialling back and forth", () => {
    seated().say({ t: "closed", code: "replaced" });
    clock.pass(60_000);
    session.wake(true);
    expect(sockets).toHaveLength(1);
    session.dial({ ...me, key: "k" });
    expect(sockets).toHaveLength(2);
  });
});

describe("leaving", () => {
  it("is not asked once more by whoever comes in next, when the answer was lost", () => {
    const line = seated();
    session.request(1, { t: "leave" });
    expect(line.of("leave")).toHaveLength(1);
    line.say({ t: "closed", code: "left" });
    session.forget();
    session.dial({ ...me, key: null });
    last().listener.open();
    last().say(welcome(0, null));
    clock.pass(RESEND_MS * 2);
    expect(last().of("leave")).toEqual([]);
    session.request(2, { t: "sit", name: "Ana" });
    expect(last().of("sit")).toHaveLength(1);
    expect(answers).toEqual([]);
  });
});

describe("a socket that dies beside a living data channel", () => {
  function withPeer(): Line {
    seated();
    const peer = peers.at(-1)!;
    peer.listener.open();
    paths = [];
    return peer;
  }

  it("takes nothing away: the channel stays, requests take it, and the table is dialled again", () => {
    const peer = withPeer();
    last().listener.down();
    expect(peer.closed).toBe(false);
    expect(paths.filter(([online]) => !online)).toEqual([]);
    session.request(1, { t: "act", seq: 1, a: "draw" });
    expect(peer.of("act")).toHaveLength(1);
    peer.say({ t: "done", n: 1, seq: 2 });
    expect(answers).toEqual([[1, true, undefined]]);
    clock.pass(300);
    expect(sockets).toHaveLength(2);
  });

  it("is over when the new connection is welcomed, and its own replacement is no news", () => {
    const peer = withPeer();
    last().listener.down();
    clock.pass(300);
    last().listener.open();
    peer.say({ t: "closed", code: "replaced" });
    expect(messages.filter((each) => each.t === "closed")).toEqual([]);
    last().say(welcome(0));
    expect(peer.closed).toBe(true);
    expect(peers).toHaveLength(2);
    expect(paths.at(-1)).toEqual([true, false]);
  });

  it("goes on redialling, and says so when the channel dies as well", () => {
    const peer = withPeer();
    last().listener.down();
    for (let k = 0; k < 4; k++) {
      clock.pass(2000);
      peer.say({ t: "pong", i: k });
      last().listener.down();
    }
    expect(sockets.length).toBeGreaterThan(3);
    expect(paths.filter(([online]) => !online)).toEqual([]);
    peer.listener.down();
    expect(paths.at(-1)).toEqual([false, false]);
    clock.pass(5000);
    last().listener.open();
    last().say(welcome(0));
    expect(paths.at(-1)).toEqual([true, false]);
  });

  it("is replaced for good when another page takes the seat", () => {
    const peer = withPeer();
    peer.say({ t: "closed", code: "replaced" });
    expect(messages.at(-1)).toEqual({ t: "closed", code: "replaced" });
    clock.pass(10_000);
    expect(sockets).toHaveLength(1);
  });
});

describe("what a session knows of its path", () => {
  it("is how long the last heartbeat took, by the path that is in use", async () => {
    const line = seated();
    expect(await session.about()).toEqual({ relay: null, rtt: null });
    clock.pass(BEAT_MS);
    const { i } = line.of("ping").at(-1)!;
    clock.pass(40);
    line.say({ t: "pong", i: i - 1 });
    expect((await session.about()).rtt).toBeNull();
    line.say({ t: "pong", i });
    expect(await session.about()).toEqual({ relay: null, rtt: 40 });
  });
});
