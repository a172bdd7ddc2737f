// The rules as the host wants them: what has been asked of the table and is not answered yet counts as done, so that
// the next wish builds on it and a finger that is quicker than the network loses nothing.
import type { Custom, Request } from "../wire";
import type { Table } from "./model";
import { readRules } from "./rules";
import type { State } from "./shape";

/** The newest value that is on its way to the table, `undefined` if there is none. */
function underway({ sent }: State, what: string): unknown {
  const asks = (body: Request): boolean => body.t === "host" && body.do === what;
  const found = sent.findLast(({ body }) => asks(body))?.body;
  return found?.t === "host" ? found.value : undefined;
}

export function wished(state: State, table: Table): Table {
  const rules = underway(state, "rules") as string | undefined;
  const custom = (underway(state, "custom") as Custom[] | undefined) ?? table.custom;
  const agreed = (underway(state, "agreed") as string[] | undefined) ?? table.agreed;
  return { ...table, ...(rules === undefined ? {} : readRules(rules)), custom, agreed };
}
