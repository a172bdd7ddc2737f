// Sounds, made on the spot: nothing is loaded. Silent until the first tap of the page, as browsers
// want it, and low in volume.
import type { Table } from "../state/model";
import type { Happened } from "../wire";

export type Cue = "card" | "draw" | "turn" | "uno" | "caught" | "hit" | "swap" | "win" | "lose" | "no" | "deal";

let context: AudioContext | null = null;

/**
 * Call on a tap: starts the sound, or starts it again after a call took it away. Making a context takes a
 * slow phone a fifth of a second, so the first tap is answered first; should the browser not count that as
 * done by a tap any more, the next tap starts it.
 */
export function wakeSound(): void {
  if (context === null) requestAnimationFrame(() => setTimeout(start));
  else resume(context);
}

function start(): void {
  try {
    context ??= new AudioContext();
    resume(context);
  } catch {
    // A browser without sound, or one that has none left to give.
  }
}

function resume(context: AudioContext): void {
  if (context.state !== "running") context.resume().catch(() => undefined);
}

interface Tone {
  at: number;
  from: number;
  to?: number;
  length: number;
  shape?: OscillatorType;
  gain?: number;
}

function tone(audio: AudioContext, { at, from, to, length, shape = "sine", gain = 0.12 }: Tone): void {
  const start = audio.currentTime + at;
  const source = audio.createOscillator();
  const volume = audio.createGain();
  source.type = shape;
  source.frequency.setValueAtTime(from, start);
  if (to !== undefined) source.frequency.exponentialRampToValueAtTime(to, start + length);
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(gain, start + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0008, start + length);
  source.connect(volume).connect(audio.destination);
  source.start(start);
  source.stop(start + length + 0.05);
}

let hiss: AudioBuffer | null = null;

/** Paper on felt: a short filtered noise. */
function paper(audio: AudioContext, at: number, length: number, pitch: number, gain: number): void {
  if (hiss === null) {
    hiss = audio.createBuffer(1, audio.sampleRate * 0.4, audio.sampleRate);
    const samples = hiss.getChannelData(0);
    for (let k = 0; k < samples.length; k++) samples[k] = Math.random() * 2 - 1;
  }
  const start = audio.currentTime + at;
  const source = audio.createBufferSource();
  const filter = audio.createBiquadFilter();
  const volume = audio.createGain();
  source.buffer = hiss;
  filter.type = "bandpass";
  filter.frequency.setValueAtTime(pitch, start);
  filter.frequency.exponentialRampToValueAtTime(pitch * 0.5, start + length);
  filter.Q.value = 0.9;
  volume.gain.setValueAtTime(gain, start);
  volume.gain.exponentialRampToValueAtTime(0.0008, start + length);
  source.connect(filter).connect(volume).connect(audio.destination);
  source.start(start);
  source.stop(start + length);
}

const PLAYS: Record<Cue, (audio: AudioContext) => void> = {
  card(audio) {
    paper(audio, 0, 0.07, 2600, 0.35);
    tone(audio, { at: 0.03, from: 190, to: 90, length: 0.09, gain: 0.16 });
  },
  draw(audio) {
    paper(audio, 0, 0.16, 1500, 0.22);
  },
  deal(audio) {
    for (let k = 0; k < 6; k++) paper(audio, k * 0.075, 0.08, 1900 + k * 90, 0.2);
  },
  turn(audio) {
    tone(audio, { at: 0.05, from: 523, length: 0.22, shape: "triangle", gain: 0.11 });
    tone(audio, { at: 0.17, from: 784, length: 0.34, shape: "triangle", gain: 0.11 });
  },
  uno(audio) {
    [659, 880, 1319].forEach((from, k) => tone(audio, { at: k * 0.075, from, length: 0.24, shape: "triangle", gain: 0.12 }));
  },
  caught(audio) {
    tone(audio, { at: 0, from: 392, to: 196, length: 0.4, shape: "sawtooth", gain: 0.06 });
    tone(audio, { at: 0.12, from: 311, to: 147, length: 0.45, shape: "sawtooth", gain: 0.05 });
  },
  hit(audio) {
    tone(audio, { at: 0, from: 130, to: 48, length: 0.3, gain: 0.3 });
    paper(audio, 0, 0.12, 900, 0.3);
  },
  swap(audio) {
    paper(audio, 0, 0.3, 700, 0.22);
    paper(audio, 0.14, 0.3, 1400, 0.2);
  },
  win(audio) {
    [523, 659, 784, 1047, 1319].forEach((from, k) =>
      tone(audio, { at: k * 0.1, from, length: 0.45, shape: "triangle", gain: 0.11 }),
    );
  },
  lose(audio) {
    [392, 349, 311].forEach((from, k) => tone(audio, { at: k * 0.14, from, length: 0.4, shape: "triangle", gain: 0.08 }));
  },
  no(audio) {
    tone(audio, { at: 0, from: 165, length: 0.09, shape: "square", gain: 0.035 });
    tone(audio, { at: 0.1, from: 139, length: 0.12, shape: "square", gain: 0.035 });
  },
};

export function cue(name: Cue): void {
  if (context === null || context.state !== "running") return;
  try {
    PLAYS[name](context);
  } catch {
    // A phone call may have taken the sound away at this very moment.
  }
}

/** Android only; elsewhere there is nothing to call. */
function shake(pattern: number[]): void {
  try {
    // Before the first tap it is not allowed, and browsers complain on the console.
    if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(pattern);
  } catch {
    // Not allowed before the first tap.
  }
}

/** What an update sounds like. */
export function cues(before: Table | null, after: Table, events: readonly Happened[]): void {
  const you = after.you;
  for (const event of events) {
    const heard: Partial<Record<string, Cue>> = {
      played: event.card?.includes("+") ? "hit" : "card",
      drew: "draw",
      dealt: "deal",
      called: "uno",
      caught: "caught",
      swapped: "swap",
      rotated: "swap",
      hands_shuffled: "swap",
      misplayed: "no",
      round_ended: event.winner === you ? "win" : "lose",
    };
    const name = heard[event.e];
    if (name !== undefined) cue(name);
    if (event.e === "caught" && event.seat === you) shake([80, 60, 160]);
  }
  if (after.mine && !(before?.mine ?? false)) {
    cue("turn");
    shake([60]);
  }
}
