// What goes through a PeerServer is sealed with the table's secret (docs/protocol.md, 9): whoever
// runs it can neither read nor change it. `crypto.subtle` is there on https pages only.

export type Direction = "to host" | "to guest";

export interface Box {
  box: string;
}

const NONCE_BYTES = 12;

const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(new TextEncoder().encode(text));

export class Seal {
  private constructor(private readonly key: CryptoKey) {}

  static async of(secret: string, direction: Direction): Promise<Seal> {
    const hmac = await crypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const derived = await crypto.subtle.sign("HMAC", hmac, bytes(`penultima 1 seal ${direction}`));
    return new Seal(await crypto.subtle.importKey("raw", derived, "AES-GCM", false, ["encrypt", "decrypt"]));
  }

  /** The payload of a message from `source` to `target`, their ids at the PeerServer. */
  async seal(text: string, source: string, target: string): Promise<Box> {
    const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
    const sealed = await crypto.subtle.encrypt(bound(iv, source, target), this.key, bytes(text));
    return { box: toBase64(new Uint8Array([...iv, ...new Uint8Array(sealed)])) };
  }

  /** Rejects for whatever was not sealed for exactly this way, by somebody who has the secret. */
  async open(payload: unknown, source: string, target: string): Promise<string> {
    const raw = fromBase64((payload as Box).box);
    const from = bound(raw.slice(0, NONCE_BYTES), source, target);
    return new TextDecoder().decode(await crypto.subtle.decrypt(from, this.key, raw.slice(NONCE_BYTES)));
  }
}

const bound = (iv: Uint8Array<ArrayBuffer>, source: string, target: string): AesGcmParams => ({
  name: "AES-GCM",
  iv,
  additionalData: bytes(`${source} ${target}`),
});

function toBase64(raw: Uint8Array): string {
  let text = "";
  for (const byte of raw) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
