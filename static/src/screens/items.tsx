// What menus are made of, and the question before what cannot be taken back.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n";
import type { Sheet } from "../state/shape";
import { tap } from "../store";
import { Icon, type IconName } from "./icons";
import { Button } from "./parts";

/** So long a second tap of the same finger may come. */
const TWICE_MS = 350;

export function Item(props: { icon: IconName; to: Sheet; children: ComponentChildren }): JSX.Element {
  return (
    <button type="button" class="item" data-testid={`menu-${props.to}`} onClick={() => tap({ on: "sheet", sheet: props.to })}>
      <Icon name={props.icon} />
      <span>{props.children}</span>
    </button>
  );
}

export function Toggle(props: { icon: IconName; value: boolean; onChange: (value: boolean) => void; id: string; children: ComponentChildren }): JSX.Element {
  return (
    <button type="button" class="item" role="switch" aria-checked={props.value} data-testid={props.id} onClick={() => props.onChange(!props.value)}>
      <Icon name={props.icon} />
      <span>{props.children}</span>
      <span class="toggle" aria-hidden="true" data-on={props.value}>
        <i />
      </span>
    </button>
  );
}

/** Whether what has just appeared under a finger may be pressed. */
export function useSettled(): boolean {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), TWICE_MS);
    return () => clearTimeout(timer);
  }, []);
  return ready;
}

/** Asked before what cannot be taken back. A finger that comes down twice does not answer it. */
export function Sure(props: { text: string; yes: string; id: string; onYes: () => void; onNo: () => void }): JSX.Element {
  const ready = useSettled();
  return (
    <>
      <p>{props.text}</p>
      <div class="row">
        <Button kind="danger" id={props.id} disabled={!ready} onPress={props.onYes}>
          {props.yes}
        </Button>
        <Button id="sure-no" onPress={props.onNo}>
          {t("act.cancel")}
        </Button>
      </div>
    </>
  );
}
