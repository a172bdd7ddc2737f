// Card faces and backs, drawn as SVG in a box of 100 x 141.
import { Component, type JSX } from "preact";
import type { Colour } from "../wire";
import { BACK, bar, type Shape, shapes } from "./faces";
import { BODY, SIGNS } from "./glyphs";

export function Sign({ colour, class: name }: { colour: Colour; class?: string }): JSX.Element {
  return (
    <svg class={`sign ${name ?? ""}`} viewBox="0 0 100 100" aria-hidden="true">
      <path d={SIGNS[colour]} fill="currentColor" />
    </svg>
  );
}

function Picture({ of, class: name }: { of: readonly Shape[]; class: string }): JSX.Element {
  return (
    <svg class={name} viewBox="0 0 100 141" aria-hidden="true">
      {of.map(({ d, paint, line, opacity }, k) =>
        line === undefined ? (
          <path key={k} d={d} fill={paint} fill-opacity={opacity} />
        ) : (
          <path key={k} d={d} class="line" stroke={paint} stroke-width={line} stroke-opacity={opacity} />
        ),
      )}
      <rect class="rim" x="2" y="2" width="96" height="137" rx="11" />
    </svg>
  );
}

/** Drawn once: with forty of them in a hand, comparing them at every tap is what a slow phone feels. */
export class Face extends Component<{ card: string }> {
  override shouldComponentUpdate(next: { card: string }): boolean {
    return next.card !== this.props.card;
  }

  override render({ card }: { card: string }): JSX.Element {
    return <Picture of={shapes(card)} class="face" />;
  }
}

/** The sign of the house, in the four colours. */
export function Bars(): JSX.Element {
  return (
    <>
      {[BODY.r, BODY.y, BODY.g, BODY.b].map((shade, k) => (
        <path key={k} d={bar(k)} fill={shade} />
      ))}
    </>
  );
}

export class Back extends Component {
  override shouldComponentUpdate(): boolean {
    return false;
  }

  override render(): JSX.Element {
    return <Picture of={BACK} class="face back" />;
  }
}
