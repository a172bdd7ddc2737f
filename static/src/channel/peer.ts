// A data channel to the host, negotiated over another channel (docs/protocol.md, 2).
import type { FromPage, FromTable, IceServer } from "../wire";
import type { About, Channel, Listener } from "./channel";

export const OPEN_MS = 10_000;
/** The relay is always there first, and the host stays on whichever way wins: a direct one has this
 * long. */
export const RELAY_MS = 1000;

export interface Peer extends Channel {
  /** `answer` and `no_channel` for this offer. */
  hear(message: FromTable): void;
}

export const canPeer = (): boolean => typeof RTCPeerConnection === "function";

const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(36)).join("");

interface Stat {
  id: string;
  type: string;
  /** Of a transport. */
  selectedCandidatePairId?: string;
  /** Of a pair. */
  nominated?: boolean;
  state?: string;
  localCandidateId?: string;
  remoteCandidateId?: string;
  currentRoundTripTime?: number;
  /** Of a candidate. */
  candidateType?: string;
  relayProtocol?: About["relay"];
}

/** What the browser's statistics say of the pair in use. The page holds the relay, or the host does:
 * then its transport is the host's affair, and UDP from here. */
export function read(stats: { forEach(each: (stat: Stat) => void): void }): About {
  const by = new Map<string, Stat>();
  stats.forEach((stat) => by.set(stat.id, stat));
  const all = [...by.values()];
  const chosen = all.find((stat) => stat.selectedCandidatePairId !== undefined)?.selectedCandidatePairId;
  const pair =
    by.get(chosen ?? "") ?? all.find((stat) => stat.type === "candidate-pair" && stat.nominated === true && stat.state === "succeeded");
  const local = by.get(pair?.localCandidateId ?? "");
  const remote = by.get(pair?.remoteCandidateId ?? "");
  const relayed = local?.candidateType === "relay" || remote?.candidateType === "relay";
  const time = pair?.currentRoundTripTime;
  return {
    relay: relayed ? (local?.relayProtocol ?? "udp") : null,
    rtt: time === undefined ? null : time * 1000,
  };
}

/** A new connection for each call, since a TURN server's credentials are good for minutes.
 * `iceServers`: what the host has told last. `id`: the offer's name, if the host has given it one. */
export function offerPeer(
  signal: (message: FromPage) => void,
  listener: Listener,
  iceServers: readonly IceServer[] = [],
  id: string = newId(),
): Peer {
  let done = false;
  const link = new RTCPeerConnection({ iceServers: [...iceServers] });
  const channel = link.createDataChannel("table");
  const close = (): void => {
    if (done) return;
    done = true;
    clearTimeout(slow);
    clearTimeout(relay);
    link.close();
  };
  const down = (): void => {
    if (done) return;
    close();
    listener.down();
  };
  const slow = setTimeout(down, OPEN_MS);
  let held: (() => void)[] | null = [];
  const relay = setTimeout(() => {
    const ready = held ?? [];
    held = null;
    for (const tell of ready) tell();
  }, RELAY_MS);
  channel.onopen = () => {
    clearTimeout(slow);
    clearTimeout(relay);
    if (!done) listener.open();
  };
  channel.onmessage = (event: MessageEvent<unknown>) => {
    if (!done && typeof event.data === "string") listener.text(event.data);
  };
  channel.onclose = down;
  link.onconnectionstatechange = () => {
    if (link.connectionState === "failed" || link.connectionState === "closed") down();
  };
  link.onicecandidate = ({ candidate }) => {
    if (done || candidate === null || candidate.candidate === "") return;
    const tell = (): void => signal({ t: "candidate", id, candidate: candidate.candidate, mid: candidate.sdpMid });
    if (held !== null && / typ relay( |$)/.test(candidate.candidate)) held.push(tell);
    else tell();
  };
  // The offer leaves at once; what is gathered later trickles behind it.
  link
    .createOffer()
    .then(async (offer) => {
      if (done) return;
      signal({ t: "offer", id, sdp: offer.sdp ?? "" });
      await link.setLocalDescription(offer);
    })
    .catch(down);
  return {
    kind: "rtc",
    send(text) {
      if (channel.readyState === "open") channel.send(text);
    },
    close,
    about: async () => read(await link.getStats()),
    hear(message) {
      if (done) return;
      if (message.t === "no_channel" && message.id === id) down();
      if (message.t === "answer" && message.id === id) {
        link.setRemoteDescription({ type: "answer", sdp: message.sdp }).catch(down);
      }
    },
  };
}
