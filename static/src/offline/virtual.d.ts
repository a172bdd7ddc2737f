// Made by the build (offline-build/plugin.ts).
declare module "virtual:practice-files" {
  import type { Files } from "./talk";

  export const FILES: Files;
  export const INFO: object;
}
