// The way to a table whose host has no port to reach: by way of a PeerServer to a data channel, which
// then carries everything (docs/protocol.md, 9). Loaded only for links that need it.
import type { FromGuest, IceServer, ToGuest } from "../wire";
import type { About, Channel, Listener } from "./channel";
import { offerPeer, type Peer } from "./peer";
import { type Box, Seal } from "./sealed";

export interface Meeting {
  /** The host's id at the PeerServer. */
  id: string;
  /** `host[:port][/path][?key=KEY]`, by TLS, or the same behind `http://`. */
  server: string;
  secret: string;
}

/** What is being done: asking at the PeerServer, waiting for the host, opening the channel. */
export type Doing = "signalling" | "knocking" | "joining";
/** Why it came to nothing. */
export type Cause = "insecure" | "signalling" | "host" | "foreign" | "busy" | "version" | "way";
export type Step = { doing: Doing } | { cause: Cause };

/** To the PeerServer; and until the host has answered (nobody of that id: EXPIRE after 5 s). */
const SIGNALLING_MS = 8_000;
const KNOCK_MS = 9_000;

/** After so many attempts that met nobody at the PeerServer the next ones wait: it may be public. */
const EAGER = 3;
const LONGEST_MS = 8_000;
let misses = 0;

const random = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export function socketAddress(server: string, id: string, token: string): URL {
  const address = new URL(server.startsWith("http://") ? server : `https://${server}`);
  address.protocol = address.protocol === "http:" ? "ws:" : "wss:";
  address.pathname = address.pathname.replace(/\/?$/, "/peerjs");
  const key = address.searchParams.get("key") ?? "peerjs";
  address.search = new URLSearchParams({ key, id, token }).toString();
  return address;
}

export function openFar(meeting: Meeting, listener: Listener, tell: (step: Step) => void): Channel {
  const dial = new Dial(meeting, listener, tell);
  dial.begin().catch(() => dial.fail("signalling"));
  return {
    kind: "rtc",
    send: (text) => dial.send(text),
    close: () => dial.close(),
    about: () => dial.about(),
  };
}

interface Told {
  type: string;
  src?: string;
  payload?: unknown;
}

/** One attempt, with an id of its own at the PeerServer. */
class Dial {
  private readonly own = random();
  private done = false;
  private socket: WebSocket | null = null;
  private peer: Peer | null = null;
  private seals: { out: Seal; in: Seal } | null = null;
  private answered = false;
  private timer = 0;
  /** Sealing takes a moment each: what is said and heard stays in order. */
  private saying: Promise<void> = Promise.resolve();
  private hearing: Promise<void> = Promise.resolve();

  constructor(
    private readonly meeting: Meeting,
    private readonly listener: Listener,
    private readonly tell: (step: Step) => void,
  ) {}

  async begin(): Promise<void> {
    if (!isSecureContext || typeof RTCPeerConnection !== "function") {
      // Later, as every other failure: the session is not ready for one yet.
      await Promise.resolve();
      this.fail("insecure");
      return;
    }
    const { secret, server } = this.meeting;
    this.tell({ doing: "signalling" });
    if (misses >= EAGER) {
      const wait = Math.min(1000 * 2 ** (misses - EAGER), LONGEST_MS);
      await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random() / 2)));
      if (this.done) return;
    }
    this.within(SIGNALLING_MS, "signalling");
    const [out, into] = await Promise.all([Seal.of(secret, "to host"), Seal.of(secret, "to guest")]);
    if (this.done) return;
    this.seals = { out, in: into };
    const socket = new WebSocket(socketAddress(server, this.own, random()));
    this.socket = socket;
    socket.onmessage = (event: MessageEvent<unknown>) => {
      this.hearing = this.hearing.then(() => this.told(event.data)).catch(() => {});
    };
    socket.onclose = () => {
      // Once the host has answered nobody is needed in between.
      if (!this.answered) this.fail("signalling");
    };
  }

  send(text: string): void {
    this.peer?.send(text);
  }

  async about(): Promise<About> {
    return (await this.peer?.about?.()) ?? { relay: null, rtt: null };
  }

  close(): void {
    if (this.done) return;
    this.done = true;
    clearTimeout(this.timer);
    this.leave();
    this.peer?.close();
  }

  fail(cause: Cause): void {
    if (this.done) return;
    this.close();
    // Without a network it was nobody's fault: its return is not to be waited out.
    if (cause === "signalling" && navigator.onLine) misses++;
    this.tell({ cause });
    this.listener.down();
  }

  private within(ms: number, cause: Cause): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.fail(cause), ms);
  }

  /** The PeerServer has done its part. */
  private leave(): void {
    const { socket } = this;
    this.socket = null;
    if (socket === null) return;
    socket.onclose = socket.onmessage = null;
    socket.close();
  }

  private say(type: "OFFER" | "CANDIDATE", message: FromGuest): void {
    this.saying = this.saying
      .then(async () => {
        const payload: Box = await this.seals!.out.seal(JSON.stringify(message), this.own, this.meeting.id);
        if (this.socket?.readyState === WebSocket.OPEN) {
          this.socket.send(JSON.stringify({ type, dst: this.meeting.id, payload }));
        }
      })
      .catch(() => {});
  }

  private async told(data: unknown): Promise<void> {
    if (this.done || typeof data !== "string") return;
    const { type, src, payload } = JSON.parse(data) as Told;
    switch (type) {
      case "OPEN":
        if (this.peer !== null) return;
        misses = 0;
        this.tell({ doing: "knocking" });
        this.within(KNOCK_MS, "host");
        this.say("OFFER", { t: "knock", v: 1 });
        return;
      case "EXPIRE":
        if (!this.answered) this.fail("host");
        return;
      case "ERROR":
      case "ID-TAKEN":
        this.fail("signalling");
        return;
      case "ANSWER": {
        if (src !== this.meeting.id) return;
        let text: string;
        try {
          text = await this.seals!.in.open(payload, src, this.own);
        } catch {
          this.fail("foreign");
          return;
        }
        this.hear(JSON.parse(text) as ToGuest);
      }
    }
  }

  private hear(message: ToGuest): void {
    if (this.done) return;
    switch (message.t) {
      case "shut":
        this.fail(message.code);
        return;
      case "opened":
        if (this.peer === null) this.join(message.id, message.ice);
        return;
      case "no_channel":
        this.fail(message.code === "too_fast" ? "busy" : "way");
        return;
      case "answer":
        this.answered = true;
        this.peer?.hear(message);
    }
  }

  private join(id: string, ice: readonly IceServer[]): void {
    this.tell({ doing: "joining" });
    clearTimeout(this.timer);
    this.peer = offerPeer(
      (message) => {
        if (message.t === "offer") this.say("OFFER", message);
        else if (message.t === "candidate") this.say("CANDIDATE", message);
      },
      {
        open: () => {
          this.answered = true;
          this.leave();
          this.listener.open();
        },
        text: (text) => this.listener.text(text),
        down: () => this.lost(),
      },
      ice,
      id,
    );
  }

  /** The channel never opened, or it was open and is gone. */
  private lost(): void {
    if (this.socket !== null) this.fail("way");
    else if (!this.done) {
      this.close();
      this.listener.down();
    }
  }
}
