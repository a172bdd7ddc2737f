// The link's fragment: #CODE.SECRET or #CODE.SECRET.HOSTKEY, and where to meet (docs/protocol.md, 1, 9).

export interface Link {
  code: string;
  secret: string;
  hostKey: string | null;
  /** By way of which PeerServer, under which id, when the host has no port to reach. */
  far: { id: string; server: string } | null;
}

const FRAGMENT =
  /#(?:peer=([a-z2-9]{16})(?:&at=([^\s&#]{1,200}))?&)?([a-z2-9]{6})\.([a-z2-9]{16})(?:\.([a-z2-9]{24}))?$/;
const PUBLIC_SERVER = "0.peerjs.com";

const isFar = (link: string): boolean => link.includes("#peer=");

/** The shared screen's link, from the guests': the page's own address may lead nowhere else (localhost). */
export const screenLink = (guests: string): string => guests.replace(/\/?#/, isFar(guests) ? "/?mesa#" : "/mesa#");

/** Whether a link leads to an address that only the own network (or this very machine) knows. */
export function isNear(link: string): boolean {
  if (isFar(link)) return false;
  if (!URL.canParse(link)) return true;
  const name = new URL(link).hostname.replace(/^\[|\]$/g, "");
  if (name.includes(":")) return /^(::1$|f[cd]|fe[89ab])/.test(name);
  return /^(localhost|10\..*|127\..*|192\.168\..*|169\.254\..*|172\.(1[6-9]|2\d|3[01])\..*|[^.]*|.*\.(local|lan|home\.arpa))$/.test(name);
}

/** What tells another link from the one that is shown, to whoever has to choose: for whom it is, or
 * where it leads. */
export function otherLink(shown: string, other: string): { kind: "near" | "far" | "same"; address: string } {
  const kind = isNear(shown) === isNear(other) ? "same" : isNear(other) ? "near" : "far";
  return { kind, address: URL.canParse(other) ? new URL(other).host : other };
}

/** Whether this address is the shared screen's. A static copy has one page for both. */
export const isScreen = ({ pathname, search }: { pathname: string; search: string }): boolean =>
  pathname.endsWith("/mesa") || new URLSearchParams(search).has("mesa");

export function readLink(text: string): Link | null {
  const parts = FRAGMENT.exec(text.trim());
  if (parts === null) return null;
  const [, id, server = PUBLIC_SERVER, code, secret, hostKey = null] = parts;
  return { code: code!, secret: secret!, hostKey, far: id === undefined ? null : { id, server } };
}
