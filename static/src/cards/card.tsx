// Card faces and backs, drawn as SVG in a box of 100 x 141.
import { Component, type ComponentChildren, type JSX } from "preact";
import { COLOURS, face } from "../state/cards";
import type { Colour } from "../wire";
import { BODY, DEEP, HOPPED, INK, NIGHT, PAPER, SIGNS, STROKES, WIDE } from "./glyphs";

export function Sign({ colour, class: name }: { colour: Colour; class?: string }): JSX.Element {
  return (
    <svg class={`sign ${name ?? ""}`} viewBox="0 0 100 100" aria-hidden="true">
      <path d={SIGNS[colour]} fill="currentColor" />
    </svg>
  );
}

/** A rank in a box of 40 x 60 (`+2` and `+4` are wider: 64). */
function Rank({ rank, width }: { rank: string; width: number }): JSX.Element {
  const digit = rank.startsWith("+") ? rank.slice(1) : rank;
  return (
    <g fill="none" stroke="currentColor" stroke-width={width} stroke-linecap="round" stroke-linejoin="round">
      {rank.startsWith("+") ? (
        <>
          <path d={STROKES["+"]} />
          <path d={STROKES[digit]} transform="translate(34 0)" />
        </>
      ) : (
        <path d={STROKES[digit]} />
      )}
      {rank === "6" || rank === "9" ? <path d="M9 69h22" stroke-width={width * 0.55} /> : null}
      {rank === "S" ? (
        <circle cx={HOPPED.x} cy={HOPPED.y} r={HOPPED.r} fill="currentColor" stroke="none" />
      ) : null}
    </g>
  );
}

function Both({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <>
      <g>{children}</g>
      <g transform="rotate(180 50 70.5)">{children}</g>
    </>
  );
}

function Coloured({ colour, rank }: { colour: Colour; rank: string }): JSX.Element {
  const wide = WIDE.has(rank);
  const front = colour === "y" ? INK : PAPER;
  return (
    <g style={{ color: front }}>
      <rect class="body" width="100" height="141" rx="13" fill={BODY[colour]} />
      <svg x="4" y="24.5" width="92" height="92" viewBox="0 0 100 100">
        <path d={SIGNS[colour]} fill={DEEP[colour]} />
      </svg>
      <g transform={wide ? "translate(18.5 42) scale(.98)" : "translate(27 35.5) scale(1.15)"}>
        <Rank rank={rank} width={10.5} />
      </g>
      <Both>
        <g transform={wide ? "translate(8 9) scale(.37)" : "translate(9 9) scale(.47)"}>
          <Rank rank={rank} width={11} />
        </g>
        <svg x={wide ? 11 : 10} y={rank === "6" || rank === "9" ? 46 : wide ? 36 : 42} width="17" height="17" viewBox="0 0 100 100">
          <path d={SIGNS[colour]} fill="currentColor" />
        </svg>
      </Both>
    </g>
  );
}

/** The four signs, each in its colour, turned around the middle. */
function Four({ size, x, y }: { size: number; x: number; y: number }): JSX.Element {
  const half = size / 2;
  const at: Record<Colour, [number, number]> = { r: [0, 0], y: [half, 0], g: [0, half], b: [half, half] };
  return (
    <svg x={x} y={y} width={size} height={size} viewBox={`0 0 ${size} ${size}`}>
      {COLOURS.map((colour) => (
        <g key={colour} transform={`translate(${at[colour][0]} ${at[colour][1]})`}>
          <rect
            x={half * 0.05}
            y={half * 0.05}
            width={half * 0.9}
            height={half * 0.9}
            rx={half * 0.22}
            fill={BODY[colour]}
            stroke={PAPER}
            stroke-opacity=".35"
            stroke-width="1"
          />
          <svg x={half * 0.22} y={half * 0.22} width={half * 0.56} height={half * 0.56} viewBox="0 0 100 100">
            <path d={SIGNS[colour]} fill={colour === "y" ? INK : PAPER} />
          </svg>
        </g>
      ))}
    </svg>
  );
}

function Wild({ rank, text }: { rank: string; text?: string | undefined }): JSX.Element {
  const custom = rank.startsWith("WC");
  const corner = rank === "W+4" ? "+4" : custom ? rank.slice(2) : null;
  return (
    <g style={{ color: PAPER }}>
      <rect class="body" width="100" height="141" rx="13" fill={NIGHT} />
      <rect x="3.5" y="3.5" width="93" height="134" rx="10.5" fill="none" stroke={PAPER} stroke-opacity=".3" stroke-width="1.5" />
      {rank === "W" ? <Four size={70} x={15} y={35.5} /> : null}
      {rank === "W+4" ? (
        <>
          {COLOURS.map((colour, k) => (
            <g key={colour} transform={`rotate(${-24 + k * 16} 50 130)`}>
              <rect x="33" y="30" width="34" height="48" rx="5" fill={BODY[colour]} stroke={PAPER} stroke-opacity=".6" stroke-width="1.2" />
              <svg x="43" y="34" width="14" height="14" viewBox="0 0 100 100">
                <path d={SIGNS[colour]} fill={colour === "y" ? INK : PAPER} />
              </svg>
            </g>
          ))}
          <g transform="translate(21 63) scale(.86)">
            <g style={{ color: NIGHT }}>
              <Rank rank="+4" width={21} />
            </g>
            <Rank rank="+4" width={11.5} />
          </g>
        </>
      ) : null}
      {rank === "WH" ? (
        <g fill="none" stroke="currentColor" stroke-width="8" stroke-linecap="round" stroke-linejoin="round">
          <path d="M18 52h12c18 0 22 37 40 37h10M72 79l10 10-10 10" stroke={BODY.y} />
          <path d="M18 89h12c18 0 22-37 40-37h10M72 42l10 10-10 10" />
        </g>
      ) : null}
      {custom ? (
        <>
          <g fill="none" stroke="currentColor" stroke-width="6" stroke-linecap="round" stroke-linejoin="round">
            <path d="M50 38c13 14 18 26 18 38L57 94H43L32 76c0-12 5-24 18-38Zm0 4v27" />
            <circle cx="50" cy="75" r="4.5" fill="currentColor" />
            <path d="M40 106h20" stroke={BODY.y} />
          </g>
          {text ? <title>{text}</title> : null}
        </>
      ) : null}
      <Both>
        {corner !== null ? (
          <g transform={custom ? "translate(9 9) scale(.46)" : "translate(8 9) scale(.42)"}>
            <Rank rank={corner} width={11} />
          </g>
        ) : (
          <Four size={24} x={7} y={8} />
        )}
      </Both>
    </g>
  );
}

interface FaceProps {
  card: string;
  text?: string | undefined;
}

/** Drawn once: with forty of them in a hand, comparing them at every tap is what a slow phone feels. */
export class Face extends Component<FaceProps> {
  override shouldComponentUpdate(next: FaceProps): boolean {
    return next.card !== this.props.card || next.text !== this.props.text;
  }

  override render({ card, text }: FaceProps): JSX.Element {
    const { colour, rank } = face(card);
    return (
      <svg class="face" viewBox="0 0 100 141" aria-hidden="true">
        {colour === null ? <Wild rank={rank} text={text} /> : <Coloured colour={colour} rank={rank} />}
        <rect class="rim" x=".75" y=".75" width="98.5" height="139.5" rx="12.5" fill="none" />
      </svg>
    );
  }
}

/** Four bars, the last but one raised: the sign of the house, on backs and on the first screen. */
export function Bars({ ghost }: { ghost?: boolean }): JSX.Element {
  const shades = ghost ? [PAPER, PAPER, PAPER, PAPER] : [BODY.r, BODY.y, BODY.g, BODY.b];
  return (
    <>
      {shades.map((shade, k) => (
        <rect key={k} x={6 + k * 23} y={k === 2 ? 12 : 30} width="19" height="58" rx="6" fill={shade} opacity={ghost ? (k === 2 ? 0.95 : 0.4) : 1} />
      ))}
    </>
  );
}

export class Back extends Component {
  override shouldComponentUpdate(): boolean {
    return false;
  }

  override render(): JSX.Element {
    return (
      <svg class="face back" viewBox="0 0 100 141" aria-hidden="true">
        <rect class="body" width="100" height="141" rx="13" fill={PAPER} />
        <rect x="6" y="6" width="88" height="129" rx="8" fill="#6A2C5F" />
        <path d="M6 46 46 6M6 86 86 6M6 126 94 38M14 135 94 55M54 135 94 95M94 46 54 6M94 86 14 6M94 126 6 38M86 135 6 55M46 135 6 95" fill="none" stroke="#FF9E7A" stroke-opacity=".34" stroke-width="2.5" />
        <circle cx="50" cy="70.5" r="29" fill="#4C1D47" stroke="#FF9E7A" stroke-opacity=".6" stroke-width="2" />
        <svg x="29" y="49" width="42" height="42" viewBox="0 0 100 100">
          <Bars ghost />
        </svg>
        <rect class="rim" x=".75" y=".75" width="98.5" height="139.5" rx="12.5" fill="none" />
      </svg>
    );
  }
}
