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

/** The shared screen's link, for the table whose page this is. The host's key stays here. */
export function screenLink(page: string, { code, secret, far }: Link): string {
  if (far === null) return new URL(`/mesa#${code}.${secret}`, page).href;
  const at = far.server === PUBLIC_SERVER ? "" : `&at=${far.server}`;
  return new URL(`?mesa#peer=${far.id}${at}&${code}.${secret}`, page).href;
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
