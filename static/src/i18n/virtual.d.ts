// Made by the build (offline-build/words.ts).
declare module "virtual:late-words" {
  export const LATE: Record<string, object>;
}
