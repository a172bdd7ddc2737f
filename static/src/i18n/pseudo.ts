// A made-up language, 40 % longer and accented: what it clips, a real one will clip some day.
import type { Text } from "./index";

const ACCENTS: Record<string, string> = { a: "á", e: "ë", i: "î", o: "ô", u: "ü", n: "ñ", A: "Å", E: "É" };

function stretch(text: string): string {
  const plain = text.replace(/\{\w+\}/g, "");
  const accented = text.replace(/\{\w+\}|[aeiounAE]/g, (part) => ACCENTS[part] ?? part);
  return `${accented}${"·~".repeat(Math.ceil(plain.length / 5))}`;
}

export function pseudo(text: Text): Text {
  if (typeof text === "string") return stretch(text);
  return { one: stretch(text.one), other: stretch(text.other) };
}
