// A made-up language, 40 % longer and accented: what it clips, a real one will clip some day.
import type { Text } from "./index";

const ACCENTS: Record<string, string> = { a: "á", e: "ë", i: "î", o: "ô", u: "ü", n: "ñ", A: "Å", E: "É" };

const WORDS = /.{1,12}/g;

function stretch(text: string): string {
  const plain = text.replace(/\{\w+\}/g, "");
  const accented = text.replace(/\{\w+\}|[aeiounAE]/g, (part) => ACCENTS[part] ?? part);
  const more = "·~".repeat(Math.ceil(plain.length / 5));
  // In words, as a language is.
  return accented + (more.match(WORDS) ?? []).join(" ");
}

export function pseudo(text: Text): Text {
  if (typeof text === "string") return stretch(text);
  return { one: stretch(text.one), other: stretch(text.other) };
}
