// The page of who runs a club: opens tables, shows how they stand, hands out their links, closes them.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Mark } from "../cards/mark";
import { canShare, share } from "../device/share";
import { t, tMaybe } from "../i18n";
import "../i18n/late";
import { PRESETS } from "../rules.gen";
import { Qr, useCopy } from "../screens/invite";
import { Avatar, Button, LanguagePills, SheetBox } from "../screens/parts";
import type { ClubTable } from "../wire";
import { club, closeTable, dial, line, openTable, readKey } from "./talk";
import { w, why } from "./words";
import "./club.css";

const nameOf = (table: ClubTable): string => table.title || w("untitled", { code: table.code });

function phaseOf(table: ClubTable): string {
  if (table.resting) return w("resting");
  const n = table.round ?? 0;
  switch (table.phase) {
    case "round":
      return w("phase.round", { n });
    case "between":
      return w("phase.between", { n });
    case "over":
      return w("phase.over");
    default:
      return w("phase.lobby");
  }
}

/** What the page says in passing, for the eye and for a screen reader. */
interface Said {
  text: string;
  bad: boolean;
}

export function ClubPage(): JSX.Element {
  const [said, setSaid] = useState<Said | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const told = club.value;
  useEffect(() => {
    document.title = `${w("title")} · Penúltima`;
  });
  useEffect(() => {
    const key = readKey(location.hash);
    if (key === null) line.value = "bad";
    else dial(key);
    const again = (): void => location.reload();
    addEventListener("hashchange", again);
    return () => removeEventListener("hashchange", again);
  }, []);
  useEffect(() => {
    if (said === null || said.bad) return;
    const timer = setTimeout(() => setSaid(null), 4000);
    return () => clearTimeout(timer);
  }, [said]);

  const state = line.value;
  if (state === "bad" || state === "many" || told === null) {
    return (
      <main class="page enter club-shut" data-testid="club" data-line={state}>
        <Mark />
        {state === "bad" || state === "many" ? (
          <section class="panel">
            <h1 class="table-title">{w(state)}</h1>
            {state === "bad" ? <p class="quiet">{w("bad.text")}</p> : null}
          </section>
        ) : (
          <>
            <h1 class="table-title">{w("title")}</h1>
            <p role="status">{w(state === "lost" ? "lost" : "wait")}</p>
          </>
        )}
        <LanguagePills />
      </main>
    );
  }
  const open = told.tables.find((each) => each.code === shown) ?? null;
  return (
    <main class="page lobby club" data-testid="club" data-line={state}>
      <div class="club-body" inert={open !== null}>
        <header class="bar">
          <Mark />
          <h1>{w("title")}</h1>
          <p class="club-count">
            <b>{w("tables", { n: told.tables.length })}</b>
            <small>{w("working", { n: told.working, most: told.most })}</small>
          </p>
        </header>
        {state === "lost" ? (
          <p class="club-said bad" role="status">
            {w("lost")}
          </p>
        ) : null}
        <p class={said === null ? "club-said none" : said.bad ? "club-said bad" : "club-said"} role={said?.bad ? "alert" : "status"} data-testid="said">
          {said?.text}
        </p>
        <NewTable
          off={state !== "open"}
          onDone={(text, bad, code) => {
            setSaid({ text, bad });
            if (code !== null) setShown(code);
          }}
          most={told.most}
        />
        {told.tables.length === 0 ? (
          <p class="club-none quiet">{w("none")}</p>
        ) : (
          <ul class="club-tables" aria-label={w("tables", { n: told.tables.length })}>
            {told.tables.map((table) => (
              <Row
                key={table.code}
                table={table}
                off={state !== "open"}
                onLinks={() => setShown(table.code)}
                onClosed={(answer) => setSaid(answer.ok ? { text: w("ended"), bad: false } : { text: why(answer.code, told.most), bad: true })}
              />
            ))}
          </ul>
        )}
        <footer class="club-foot">
          <LanguagePills />
        </footer>
      </div>
      {open === null ? null : <Links table={open} onClose={() => setShown(null)} />}
    </main>
  );
}

function NewTable({ off, most, onDone }: { off: boolean; most: number; onDone: (text: string, bad: boolean, code: string | null) => void }): JSX.Element {
  const [title, setTitle] = useState("");
  const [preset, setPreset] = useState("classic");
  const [busy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    setBusy(true);
    const answer = await openTable(title.trim(), preset);
    setBusy(false);
    if (answer.ok) {
      onDone(w("opened", { title: title.trim() || w("untitled", { code: answer.code }) }), false, answer.code);
      setTitle("");
    } else onDone(why(answer.code, most), true, null);
  };
  return (
    <section class="panel" aria-labelledby="new-title">
      <h2 id="new-title">{w("new")}</h2>
      <form
        class="club-new"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy && !off) void submit();
        }}
      >
        <label for="club-name">{w("name")}</label>
        <input
          id="club-name"
          data-testid="club-name"
          value={title}
          onInput={(event) => setTitle(event.currentTarget.value)}
          maxLength={40}
          autocomplete="off"
          enterkeyhint="done"
          aria-describedby="club-name-hint"
        />
        <p id="club-name-hint" class="hint">
          {w("name.hint")}
        </p>
        <label for="club-preset">{w("rules")}</label>
        <select id="club-preset" data-testid="club-preset" value={preset} onChange={(event) => setPreset(event.currentTarget.value)} aria-describedby="club-preset-hint">
          {Object.keys(PRESETS).map((each) => (
            <option key={each} value={each}>
              {tMaybe(`preset.${each}`) ?? each}
            </option>
          ))}
        </select>
        <p id="club-preset-hint" class="hint">
          {tMaybe(`preset.${preset}.text`)} {w("rules.hint")}.
        </p>
        <button type="submit" class="button main wide" data-testid="club-open" disabled={busy || off}>
          {w("open")}
        </button>
      </form>
    </section>
  );
}

interface RowProps {
  table: ClubTable;
  off: boolean;
  onLinks: () => void;
  onClosed: (answer: { ok: boolean; code: string }) => void;
}

function Row({ table, off, onLinks, onClosed }: RowProps): JSX.Element {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const title = nameOf(table);
  const row = useRef<HTMLLIElement>(null);
  const asked = useRef(false);
  // The question takes the place of the button that asked it, and gives it back.
  useEffect(() => {
    if (asking || asked.current) row.current?.querySelector<HTMLButtonElement>(asking ? "[data-testid=close-no]" : "[data-testid^=close-]")?.focus();
    asked.current = asking;
  }, [asking]);
  return (
    <li ref={row} class={table.resting ? "club-table resting" : "club-table"} data-testid={`table-${table.code}`}>
      <div class="club-head">
        <h2>{title}</h2>
        {table.title === "" ? null : <code>{table.code}</code>}
      </div>
      <p class="club-phase">{phaseOf(table)}</p>
      {table.players.length === 0 ? (
        <p class="quiet">{w("nobody")}</p>
      ) : (
        <ul class="who">
          {table.players.map((each, seat) => (
            <li key={seat} class={each.state ?? ""}>
              <Avatar seat={{ seat, name: each.name }} bot={each.bot === true} />
              <span class="name" aria-label={each.state === "away" ? w("away", { name: each.name }) : undefined}>
                {each.name}
              </span>
            </li>
          ))}
        </ul>
      )}
      {asking ? (
        <div class="club-sure" role="group" aria-label={w("close.of", { title })}>
          <p>{w("close.sure", { title })}</p>
          <div class="row">
            <Button id="close-no" onPress={() => setAsking(false)}>
              {w("close.no")}
            </Button>
            <Button
              id="close-yes"
              kind="danger"
              disabled={busy || off}
              onPress={() => {
                setBusy(true);
                void closeTable(table.code).then((answer) => {
                  setBusy(false);
                  setAsking(false);
                  onClosed(answer);
                });
              }}
            >
              {w("close.yes")}
            </Button>
          </div>
        </div>
      ) : (
        <div class="row">
          <Button icon="qr" id={`links-${table.code}`} label={w("links.of", { title })} onPress={onLinks}>
            {w("links")}
          </Button>
          <Button kind="quiet" id={`close-${table.code}`} label={w("close.of", { title })} onPress={() => setAsking(true)}>
            {w("close")}
          </Button>
        </div>
      )}
    </li>
  );
}

function Links({ table, onClose }: { table: ClubTable; onClose: () => void }): JSX.Element {
  const title = nameOf(table);
  return (
    <SheetBox title={title} onClose={onClose} kind="club-links" id="club-links">
      <One kind="guests" link={table.guests} title={title} />
      <One kind="host" link={table.host} title={title} />
    </SheetBox>
  );
}

/** One of a table's two links. The host's is to be opened by one person, the guests' to be shown round. */
function One({ kind, link, title }: { kind: "guests" | "host"; link: string; title: string }): JSX.Element {
  const [copied, press] = useCopy(link);
  return (
    <section class="invite" data-testid={`link-${kind}`} data-link={link} aria-labelledby={`link-${kind}-title`}>
      <Qr link={link} />
      <div class="invite-side">
        <h3 class="invite-title" id={`link-${kind}-title`}>
          {w(kind)}
        </h3>
        <p class="quiet">{w(`${kind}.text`)}</p>
        <div class="row">
          {canShare() && kind === "guests" ? (
            <Button icon="share" onPress={() => void share(title, t("lobby.message", { title }), link)}>
              {t("lobby.share")}
            </Button>
          ) : null}
          <Button icon={copied ? "check" : "copy"} id={`copy-${kind}`} onPress={press}>
            {t(copied ? "lobby.copied" : "lobby.copy")}
          </Button>
          <a class="button plain" href={link} target="_blank" rel="noreferrer" data-testid={`go-${kind}`}>
            <span>{w("go")}</span>
          </a>
        </div>
        {copied === false ? (
          <p class="by-hand">
            {t("lobby.select")} <code>{link}</code>
          </p>
        ) : null}
      </div>
    </section>
  );
}
