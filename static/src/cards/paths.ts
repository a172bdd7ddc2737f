// Path data put in its place by arithmetic. A nested <svg> or a transformed <g> inside a card face is one
// thing more for the browser to reckon with at every frame, and forty faces in a hand had hundreds of
// them. A path that already is where it belongs costs nothing.

/** Where a shape goes: scaled, moved, and then turned by degrees around a point of the card. */
export interface Placing {
  x: number;
  y: number;
  scale?: number;
  turn?: number;
  around?: readonly [number, number];
}

export const WIDTH = 100;
export const HEIGHT = 141;
const MIDDLE = [WIDTH / 2, HEIGHT / 2] as const;

/** What each command takes: places or steps (`xy`), lengths (`r`), and what stays (`-`). */
const TAKES: Record<string, string> = { M: "xy", L: "xy", H: "x", V: "y", C: "xyxyxy", S: "xyxy", A: "rr---xy", Z: "" };

const round = (value: number): number => Math.round(value * 100) / 100;

/** `d` in its place. An absolute H or V can only be turned half around, any other command freely. */
export function placed(d: string, { x, y, scale = 1, turn = 0, around = MIDDLE }: Placing): string {
  const angle = (turn * Math.PI) / 180;
  const [cos, sin] = turn % 180 === 0 ? [turn % 360 === 0 ? 1 : -1, 0] : [Math.cos(angle), Math.sin(angle)];
  let out = "";
  for (const [, command, text] of d.matchAll(/([a-z])([^a-z]*)/gi)) {
    const takes = TAKES[command!.toUpperCase()]!;
    const absolute = command! < "a";
    const [cx, cy] = absolute ? around : [0, 0];
    const [dx, dy] = absolute ? [x, y] : [0, 0];
    const values = (text!.match(/-?\d*\.?\d+/g) ?? []).map(Number);
    // A step to the side is a step somewhere when it is turned.
    const aside = command === "h" || command === "v";
    const moved: number[] = [];
    for (let k = 0; k < values.length; k++) {
      const kind = takes[k % takes.length]!;
      if (kind === "-") moved.push(values[k]!);
      else if (kind === "r") moved.push(values[k]! * scale);
      else {
        const px = kind === "x" ? values[k]! * scale + dx - cx : 0;
        const py = kind === "y" ? values[k]! * scale + dy - cy : takes.length > 1 ? values[++k]! * scale + dy - cy : 0;
        const at = [cx + px * cos - py * sin, cy + px * sin + py * cos] as const;
        if (aside || takes.length > 1) moved.push(...at);
        else moved.push(kind === "x" ? at[0] : at[1]);
      }
    }
    out += (aside ? "l" : command!) + moved.map(round).join(" ");
  }
  return out;
}

/** The same in both corners, the lower one upside down. */
export const twice = (d: string, at: Placing): string => placed(d, at) + placed(d, { ...at, turn: 180 });

/** A disc. */
export const disc = (x: number, y: number, r: number): string => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;

/** A rectangle with round corners. */
export const slab = (x: number, y: number, w: number, h: number, r: number): string =>
  `M${x + r} ${y}h${w - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${h - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}h${2 * r - w}a${r} ${r} 0 0 1 ${-r} ${-r}v${2 * r - h}a${r} ${r} 0 0 1 ${r} ${-r}Z`;
