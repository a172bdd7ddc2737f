// The link's fragment: #CODE.SECRET or #CODE.SECRET.HOSTKEY (docs/protocol.md, 1).

export interface Link {
  code: string;
  secret: string;
  hostKey: string | null;
}

const FRAGMENT = /#([a-z2-9]{6})\.([a-z2-9]{16})(?:\.([a-z2-9]{24}))?$/;

/** The shared screen's link, for the table whose page this is. The host's key stays here. */
export const screenLink = (origin: string, { code, secret }: Link): string => `${origin}/mesa#${code}.${secret}`;

export function readLink(text: string): Link | null {
  const parts = FRAGMENT.exec(text.trim());
  if (parts === null) return null;
  return { code: parts[1]!, secret: parts[2]!, hostKey: parts[3] ?? null };
}
