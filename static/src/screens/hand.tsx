// My own cards.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Face } from "../cards/card";
import { cardName, t } from "../i18n";
import { type HandCard, sorted } from "../state/cards";
import { alive, type Table } from "../state/model";
import { isBusy, type State } from "../state/shape";
import { tap } from "../store";
import { layoutHand } from "./hand-layout";
import { still } from "./still";

const FLING = 42;

/** The box's width, and how high the hand may grow in this window. */
function useRoom(box: { current: HTMLElement | null }): { width: number; height: number; fair: number } {
  const [room, setRoom] = useState({ width: 340, height: 260, fair: 260 });
  useLayoutEffect(() => {
    const measure = (): void => {
      const element = box.current;
      if (element === null) return;
      const style = getComputedStyle(element);
      const width = element.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      const height = Number.parseFloat(style.getPropertyValue("--hand-room"));
      // --hand-room is the height that the arena keeps (look/game.css).
      const low = innerHeight <= 520 && innerWidth > innerHeight;
      const bars = [".strip", ".actions"].map((bar) => document.querySelector<HTMLElement>(bar)?.offsetHeight ?? 56);
      const most = innerHeight - bars[0]! - bars[1]! - (low ? 0 : height || 190) - Number.parseFloat(style.paddingBottom);
      const fair = low ? most : innerHeight * 0.44;
      setRoom((old) => (old.width === width && old.height === most ? old : { width, height: most, fair }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    if (box.current !== null) observer.observe(box.current);
    addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
    };
  }, []);
  return room;
}

export function Hand({ state, table }: { state: State; table: Table }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const room = useRoom(box);
  const cards = useMemo(() => sorted(table.hand, state.prefs.sort), [table.hand, state.prefs.sort]);
  const layout = layoutHand(cards.length, room.width, room.height, room.fair);
  // The buttons above must not move with every card: a hand that has grown past its place takes all
  // that is fair at once, and gives it back when it is small again.
  const grown = useRef(false);
  if (cards.length > 12) grown.current = true;
  else if (cards.length <= 10) grown.current = false;
  const [focus, setFocus] = useState(0);
  const at = Math.min(focus, cards.length - 1);
  const busy = isBusy(state);
  const flung = useRef<string | null>(null);

  const onKeyDown = (event: KeyboardEvent): void => {
    const move = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
    const to = event.key === "Home" ? 0 : event.key === "End" ? cards.length - 1 : move === undefined ? null : at + move;
    if (to === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(cards.length - 1, to));
    setFocus(next);
    box.current?.querySelectorAll<HTMLElement>("button.held")[next]?.focus();
  };

  // Ends with the tap: a swipe upwards plays at once.
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let start: { x: number; y: number; key: string } | null = null;
    const down = (event: PointerEvent): void => {
      flung.current = null;
      const held = (event.target as Element).closest<HTMLElement>("button.held");
      start = held === null ? null : { x: event.clientX, y: event.clientY, key: held.dataset.key! };
    };
    const up = (event: PointerEvent): void => {
      if (start === null) return;
      const dy = start.y - event.clientY;
      if (dy > FLING && dy > Math.abs(event.clientX - start.x) * 1.4) {
        flung.current = start.key;
        tap({ on: "fling", key: start.key });
      }
      start = null;
    };
    const cancel = (): void => {
      start = null;
    };
    element.addEventListener("pointerdown", down);
    element.addEventListener("pointerup", up);
    element.addEventListener("pointercancel", cancel);
    return () => {
      element.removeEventListener("pointerdown", down);
      element.removeEventListener("pointerup", up);
      element.removeEventListener("pointercancel", cancel);
    };
  }, []);

  const quiet = !table.mine && table.may.plays.size === 0;
  return (
    <div
      class={`hand ${layout.mode}${quiet ? " quiet" : ""}`}
      style={grown.current ? { minHeight: `${Math.round(room.fair + 8)}px` } : undefined}
      data-testid="hand"
      data-place="hand"
      ref={box}
      onKeyDown={onKeyDown}
    >
      <ul
        aria-label={t("hand.name", { n: cards.length })}
        style={{ height: `${layout.height}px`, "--w": `${layout.w}px` }}
      >
        {cards.map((held, k) => (
          <Held
            key={held.key}
            card={held.card}
            name={held.key}
            x={layout.at[k]!.x}
            y={layout.at[k]!.y}
            order={k}
            live={alive(table, held)}
            mark={state.marked.indexOf(held.key)}
            marks={state.marked.length}
            busy={busy}
            focusable={k === at}
            text={custom(table, held)}
            onFocus={() => setFocus(k)}
            onTap={() => {
              if (flung.current === held.key) flung.current = null;
              else tap({ on: "card", key: held.key });
            }}
          />
        ))}
      </ul>
    </div>
  );
}

function custom(table: Table, held: HandCard): string | undefined {
  return held.card.startsWith("WC") ? table.custom[Number(held.card.slice(2)) - 1]?.text : undefined;
}

interface HeldProps {
  card: string;
  /** Its key: which of equal cards it is. */
  name: string;
  x: number;
  y: number;
  order: number;
  live: boolean;
  mark: number;
  marks: number;
  busy: boolean;
  focusable: boolean;
  text: string | undefined;
  /** Of what lies at this place: they do the same as long as the card and its place are the same. */
  onFocus: () => void;
  onTap: () => void;
}

const Held = still(function Held(props: HeldProps): JSX.Element {
  const { card, name: key, live, mark } = props;
  const name = props.text ? `${cardName(card)}, ${props.text}` : cardName(card);
  const label = mark >= 0 ? t("card.marked", { card: name }) : t(live ? "card.playable" : "card.dead", { card: name });
  return (
    <li data-place={`hand:${key}`} style={{ left: `${props.x}px`, top: `${props.y}px`, zIndex: props.order + 1 }}>
      <button
        type="button"
        class={`held card${live ? " live" : " dead"}${mark >= 0 ? " marked" : ""}${mark >= 0 && props.busy ? " sent" : ""}`}
        data-card={card}
        data-key={key}
        data-live={live}
        aria-label={label}
        aria-pressed={mark >= 0}
        tabIndex={props.focusable ? 0 : -1}
        onFocus={props.onFocus}
        onClick={props.onTap}
      >
        <Face card={card} />
        {mark >= 0 && props.marks > 1 ? <b class="nth">{mark + 1}</b> : null}
      </button>
    </li>
  );
});
