// What a screen reader hears: one polite sentence a move, at most one per 700 ms, and a line that
// interrupts for my turn, a pause and being caught.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { cardName, colourName, t } from "../i18n";
import type { Table } from "../state/model";
import type { State } from "../state/shape";
import { joined, tell } from "../state/story";

const PACE_MS = 700;

export function Live({ state, table }: { state: State; table: Table }): JSX.Element {
  const [polite, setPolite] = useState("");
  const [urgent, setUrgent] = useState("");
  const waiting = useRef<string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const lastId = useRef(0);

  useEffect(() => {
    const fresh = state.happening.filter((entry) => entry.id > lastId.current);
    if (fresh.length === 0) return;
    lastId.current = fresh.at(-1)!.id;
    const sentences = fresh.map(tell).filter((each) => each !== null);
    if (sentences.length === 0) return;
    waiting.current.push(...sentences);
    const speak = (): void => {
      const next = waiting.current.splice(0);
      timer.current = null;
      if (next.length === 0) return;
      setPolite(joined(next));
      timer.current = setTimeout(speak, PACE_MS);
    };
    if (timer.current === null) speak();
  }, [state.happening]);

  const caught = state.happening.some((entry) => entry.event.e === "caught" && entry.event.seat === table.you);
  const paused = table.paused.length > 0 && !table.paused.includes("countdown");
  const owed = table.mine && table.top !== null;
  const line = paused
    ? t("say.paused")
    : owed
      ? t("say.turn", { top: cardName(table.top!), colour: table.colour === null ? "?" : colourName(table.colour) })
      : caught
        ? t("say.caught")
        : "";
  // Once a turn: the words of the first moment stay, whatever lies on the table later in it.
  const kind = paused ? "paused" : owed ? "turn" : caught ? "caught" : "";
  useEffect(() => setUrgent(line), [kind]);

  return (
    <>
      <div class="offscreen" role="log" aria-live="polite" data-testid="say-polite">
        {polite}
      </div>
      <div class="offscreen" role="alert" aria-live="assertive" data-testid="say-assertive">
        {urgent}
      </div>
    </>
  );
}
