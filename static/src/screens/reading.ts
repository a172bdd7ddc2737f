// What people at the table open to read, in one piece of the page (later.tsx).
export { Log } from "./log";
export { Report } from "./report";
export { Propose, RulesPage } from "./rules";
