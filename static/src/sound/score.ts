// What each sound is, made on the spot: nothing is loaded. All of them light, short and about equally loud;
// tests/browser/test_sounds.py renders and measures every one.

export type Cue = "card" | "draw" | "turn" | "uno" | "caught" | "hit" | "swap" | "win" | "lose" | "no" | "deal";

interface Tone {
  at: number;
  from: number;
  to?: number;
  length: number;
  shape?: OscillatorType;
  gain?: number;
}

function tone(audio: BaseAudioContext, { at, from, to, length, shape = "sine", gain = 0.12 }: Tone): void {
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

const hisses = new WeakMap<BaseAudioContext, AudioBuffer>();

/** White noise, the same every time. */
function noise(audio: BaseAudioContext): AudioBuffer {
  let hiss = hisses.get(audio);
  if (hiss === undefined) {
    hiss = audio.createBuffer(1, audio.sampleRate * 0.4, audio.sampleRate);
    const samples = hiss.getChannelData(0);
    let seed = 1;
    for (let k = 0; k < samples.length; k++) {
      seed = (seed * 48271) % 0x7fffffff;
      samples[k] = (seed / 0x7fffffff) * 2 - 1;
    }
    hisses.set(audio, hiss);
  }
  return hiss;
}

/** Paper on felt: a short filtered noise. */
function paper(audio: BaseAudioContext, at: number, length: number, pitch: number, gain: number): void {
  const start = audio.currentTime + at;
  const source = audio.createBufferSource();
  const filter = audio.createBiquadFilter();
  const volume = audio.createGain();
  source.buffer = noise(audio);
  filter.type = "bandpass";
  filter.frequency.setValueAtTime(pitch, start);
  filter.frequency.exponentialRampToValueAtTime(pitch * 0.5, start + length);
  filter.Q.value = 0.9;
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(gain, start + 0.004);
  volume.gain.exponentialRampToValueAtTime(0.0008, start + length);
  source.connect(filter).connect(volume).connect(audio.destination);
  source.start(start);
  source.stop(start + length);
}

export const SCORE: Record<Cue, (audio: BaseAudioContext) => void> = {
  // A card put on felt.
  card(audio) {
    paper(audio, 0, 0.07, 2600, 0.42);
    tone(audio, { at: 0.03, from: 380, to: 150, length: 0.09, gain: 0.13 });
  },
  // A card slid off the pile.
  draw(audio) {
    paper(audio, 0, 0.17, 1500, 0.42);
  },
  deal(audio) {
    for (let k = 0; k < 6; k++) paper(audio, k * 0.075, 0.08, 1900 + k * 90, 0.36);
  },
  turn(audio) {
    tone(audio, { at: 0.05, from: 523, length: 0.22, shape: "triangle", gain: 0.1 });
    tone(audio, { at: 0.17, from: 784, length: 0.34, shape: "triangle", gain: 0.1 });
  },
  uno(audio) {
    [659, 880, 1319].forEach((from, k) => tone(audio, { at: k * 0.075, from, length: 0.24, shape: "triangle", gain: 0.09 }));
  },
  // A slide down, of two: somebody was found out.
  caught(audio) {
    tone(audio, { at: 0, from: 587, to: 294, length: 0.36, shape: "sawtooth", gain: 0.08 });
    tone(audio, { at: 0.12, from: 466, to: 220, length: 0.42, shape: "sawtooth", gain: 0.065 });
  },
  // A heavy card. Its bass is for headphones, its knock for a phone.
  hit(audio) {
    tone(audio, { at: 0, from: 150, to: 55, length: 0.28, gain: 0.2 });
    tone(audio, { at: 0, from: 520, to: 260, length: 0.12, shape: "triangle", gain: 0.12 });
    paper(audio, 0, 0.1, 1100, 0.36);
  },
  // Whole hands passed along: a breath to and fro.
  swap(audio) {
    paper(audio, 0, 0.3, 700, 0.42);
    paper(audio, 0.14, 0.3, 1400, 0.4);
  },
  win(audio) {
    [523, 659, 784, 1047, 1319].forEach((from, k) =>
      tone(audio, { at: k * 0.1, from, length: 0.45, shape: "triangle", gain: 0.08 }),
    );
  },
  lose(audio) {
    [392, 349, 311].forEach((from, k) => tone(audio, { at: k * 0.14, from, length: 0.4, shape: "triangle", gain: 0.09 }));
  },
  no(audio) {
    tone(audio, { at: 0, from: 220, length: 0.09, shape: "square", gain: 0.085 });
    tone(audio, { at: 0.1, from: 185, length: 0.12, shape: "square", gain: 0.085 });
  },
};
