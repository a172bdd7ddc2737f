// Getting in: one field, one button.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Face } from "../cards/card";
import { Mark, Wordmark } from "../cards/mark";
import { t } from "../i18n";
import { HASH } from "../offline/gate";
import { readLink } from "../state/link";
import { claimable, present } from "../state/model";
import { isAboutName, type State } from "../state/shape";
import { tap } from "../store";
import { Waiting } from "./connection";
import { seatState } from "./lobby";
import { Avatar, Button, LanguagePills, titleOf } from "./parts";

const FAN = ["b3", "gR", "y7", "W", "r+2"];

export function Welcome(): JSX.Element {
  return (
    <header class="welcome">
      <div class="fan" aria-hidden="true">
        {FAN.map((card, k) => (
          <span key={card} class={`card fan-${k}`}>
            <Face card={card} />
          </span>
        ))}
      </div>
      <h1>
        <Mark />
        <Wordmark />
      </h1>
      <p class="tagline">{t("enter.tagline")}</p>
    </header>
  );
}

function Foot(): JSX.Element {
  return (
    <footer>
      <LanguagePills />
      <p class="legal">{t("enter.free")}</p>
    </footer>
  );
}

export function Enter({ state }: { state: State }): JSX.Element {
  const [name, setName] = useState(state.prefs.name);
  const table = state.table;
  const entering = state.sent.some((each) => each.what === "sit");
  const trouble = state.note?.code !== undefined && state.note.key !== "enter.claim.no";
  const here = table === null ? [] : present(table);
  return (
    <main class="page enter">
      <Welcome />
      <section class="panel">
        <h2 class="table-title">{table === null ? t("enter.wait") : titleOf(table)}</h2>
        {table === null ? (
          state.trouble === null ? <Far state={state} /> : <Waiting state={state} />
        ) : here.length === 0 ? (
          <p class="who quiet">{t("enter.nobody")}</p>
        ) : (
          <ul class="who" aria-label={t("enter.here")}>
            {here.map((each) => (
              <li key={each.seat} class={each.state === "away" ? "away" : ""}>
                <Avatar seat={each} bot={each.bot !== null && each.state !== "standin"} />
                <span class="name">{each.name}</span>
                {claimable(each) ? <small>{seatState(each)}</small> : null}
              </li>
            ))}
          </ul>
        )}
        {state.known !== null ? (
          <div class="still">
            <p>{t("enter.still", { name: state.known })}</p>
            <Button kind="main" id="still-yes" onPress={() => tap({ on: "known", yes: true })}>
              {t("enter.still.yes")}
            </Button>
            <Button kind="quiet" id="still-no" onPress={() => tap({ on: "known", yes: false })}>
              {t("enter.still.no")}
            </Button>
          </div>
        ) : state.far?.cause === "insecure" ? null : (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              tap({ on: "sit", name });
            }}
          >
            <label for="name">{t("enter.name")}</label>
            <input
              id="name"
              data-testid="name-input"
              value={name}
              onInput={(event) => {
                setName(event.currentTarget.value);
                tap({ on: "naming" });
              }}
              autocomplete="nickname"
              autocapitalize="words"
              enterkeyhint="go"
              spellcheck={false}
              maxLength={80}
              aria-invalid={isAboutName(state.note) ? "true" : undefined}
              aria-describedby="name-note"
            />
            <p id="name-note" class={trouble ? "trouble" : "hint"} role={trouble ? "alert" : undefined}>
              {trouble && state.note !== null
                ? t(state.note.key, state.note.params)
                : table?.locked
                  ? t("enter.locked")
                  : table?.phase === "round" || table?.phase === "between"
                    ? t("enter.going")
                    : t("enter.name.hint")}
            </p>
            <button type="submit" class="button main wide" data-testid="enter" disabled={entering}>
              {t("enter.go")}
            </button>
          </form>
        )}
        {state.note?.key === "enter.claim.no" || state.note?.key === "enter.gone" ? (
          <p class="hint" role="alert" data-testid="enter-note">
            {t(state.note.key)}
          </p>
        ) : null}
        {/* Who has the key needs nobody to vouch. */}
        {(state.known === null ? here.filter(claimable) : []).map((each) =>
          state.claiming === each.seat ? (
            <p key={each.seat} class="hint" role="status">
              {t("enter.claim.sent")}
            </p>
          ) : (
            <Button key={each.seat} kind="quiet" id={`claim-${each.seat}`} onPress={() => tap({ on: "claim", seat: each.seat })}>
              {t("enter.claim", { name: each.name })}
            </Button>
          ),
        )}
      </section>
      <Foot />
    </main>
  );
}

export function NoLink({ onLink }: { onLink: (text: string) => void }): JSX.Element {
  const [text, setText] = useState("");
  const [bad, setBad] = useState(false);
  return (
    <main class="page enter">
      <Welcome />
      <section class="panel">
        <h2 class="table-title">{t("nolink.title")}</h2>
        <p class="quiet">{t("nolink.text")}</p>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (readLink(text) === null) setBad(true);
            else onLink(text);
          }}
        >
          <label for="link">{t("nolink.paste")}</label>
          <input id="link" inputMode="url" autocomplete="off" spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} aria-describedby="link-note" />
          <p id="link-note" class={bad ? "trouble" : "hint"} role={bad ? "alert" : undefined}>
            {bad ? t("nolink.bad") : " "}
          </p>
          <button type="submit" class="button main wide">
            {t("nolink.open")}
          </button>
        </form>
        <Button
          id="solo-open"
          onPress={() => {
            location.hash = HASH;
          }}
        >
          {t("solo.open")}
        </Button>
      </section>
      <Foot />
    </main>
  );
}

/** By way of a PeerServer there is something to wait for, and more that can be in the way. */
function Far({ state: { far } }: { state: State }): JSX.Element {
  if (far === null) return <p class="who quiet">&nbsp;</p>;
  const { cause, doing } = far;
  return (
    <p class={cause === null ? "who quiet" : "who trouble"} role="status" data-testid="far" data-cause={cause ?? ""}>
      {cause === null ? t(`far.doing.${doing}`) : t(`far.cause.${cause}`)}
    </p>
  );
}

export function Returning({ state }: { state: State }): JSX.Element {
  return (
    <main class="page enter returning">
      <Mark />
      <p>{t("enter.wait")}</p>
      <Far state={state} />
      <Waiting state={state} />
    </main>
  );
}

export function Closed({ code }: { code: string }): JSX.Element {
  const known = ["replaced", "removed", "left", "table_closed", "bad_hello", "too_many", "version"] as const;
  const why = known.find((each) => each === code) ?? "table_closed";
  return (
    <main class="page enter closed" data-testid="closed" data-code={code}>
      <Welcome />
      <section class="panel">
        <h2 class="table-title">{t(`closed.${why}`)}</h2>
        <p class="quiet">{t(`closed.${why}.text`)}</p>
        {why === "replaced" ? (
          <Button kind="main" id="take-back" onPress={() => tap({ on: "again" })}>
            {t("closed.replaced.go")}
          </Button>
        ) : why === "version" ? (
          <Button kind="main" onPress={() => location.reload()}>
            {t("closed.reload")}
          </Button>
        ) : (
          <Button kind="main" id="again" onPress={() => tap({ on: "again" })}>
            {t(why === "bad_hello" || why === "table_closed" || why === "too_many" ? "conn.retry" : "closed.again")}
          </Button>
        )}
      </section>
      <Foot />
    </main>
  );
}
