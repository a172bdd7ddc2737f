import { describe, expect, it } from "vitest";
import { socketAddress } from "../src/channel/far";
import { Seal } from "../src/channel/sealed";
import { isScreen, readLink, screenLink } from "../src/state/link";

const SECRET = "s".repeat(16);
const TABLE = "abcdef.ssssssssssssssss";

describe("a box", () => {
  // Made by penultima.host.sealed: both ends agree on every byte (tests/host/test_sealed.py).
  const BOXES = [
    ["to host", "guest", "host", "AAECAwQFBgcICQoL3WtZrhQiMkI65EpDChJXpzVersohEoE-74BYEZQTt9djm0hVxSUdddoF"],
    ["to guest", "host", "guest", "AAECAwQFBgcICQoLbDgdqBW9mqX3wEf0IkSqZpwUA2HKpOpYW3y4_-FkL4M258JKhIPRlLR6"],
  ] as const;

  it.each(BOXES)("of the host's program opens: %s", async (direction, source, target, box) => {
    const seal = await Seal.of(SECRET, direction);
    expect(await seal.open({ box }, source, target)).toBe('{"t":"knock","v":1} ¡UNO!');
  });

  it("opens for its sender, receiver and direction alone", async () => {
    const seal = await Seal.of(SECRET, "to host");
    const box = await seal.seal("hola", "a", "b");
    expect(await seal.open(box, "a", "b")).toBe("hola");
    await expect(seal.open(box, "b", "a")).rejects.toThrow();
    await expect(seal.open(box, "a", "c")).rejects.toThrow();
    await expect((await Seal.of(SECRET, "to guest")).open(box, "a", "b")).rejects.toThrow();
    await expect((await Seal.of("x", "to host")).open(box, "a", "b")).rejects.toThrow();
    for (const wrong of [null, "", 7, {}, { box: 7 }, { box: "" }, { box: "ü" }, { sdp: "v=0" }]) {
      await expect(seal.open(wrong, "a", "b")).rejects.toThrow();
    }
  });
});

describe("a link", () => {
  it("of a far table names where to meet", () => {
    expect(readLink(`https://ana.example/uno/#peer=abcdefgh23456789&${TABLE}`)).toEqual({
      code: "abcdef",
      secret: SECRET,
      hostKey: null,
      far: { id: "abcdefgh23456789", server: "0.peerjs.com" },
    });
    const own = readLink(`#peer=abcdefgh23456789&at=peer.example:9000/x?key=mine&${TABLE}.${"h".repeat(24)}`);
    expect(own?.far?.server).toBe("peer.example:9000/x?key=mine");
    expect(own?.hostKey).toBe("h".repeat(24));
  });

  it("of any other table does not", () => {
    expect(readLink(`http://192.168.1.7:8765/#${TABLE}`)?.far).toBeNull();
    for (const bad of [`#peer=short&${TABLE}`, `#at=x&${TABLE}`, "#peer=abcdefgh23456789", `#peer=abcdefgh23456789&at=a b&${TABLE}`]) {
      expect(readLink(bad), bad).toBeNull();
    }
  });

  it("of the shared screen stays on the same page", () => {
    const page = `https://ana.example/uno/#peer=abcdefgh23456789&at=p.example&${TABLE}`;
    const screen = screenLink(page);
    expect(screen).toBe(`https://ana.example/uno/?mesa#peer=abcdefgh23456789&at=p.example&${TABLE}`);
    expect(isScreen(new URL(screen))).toBe(true);
    expect(readLink(screen)?.far?.id).toBe("abcdefgh23456789");
    const near = `http://192.168.1.7:8765/#${TABLE}`;
    expect(screenLink(near)).toBe(`http://192.168.1.7:8765/mesa#${TABLE}`);
    expect(isScreen(new URL(near))).toBe(false);
  });
});

describe("the PeerServer's socket", () => {
  it.each([
    ["0.peerjs.com", "wss://0.peerjs.com/peerjs?key=peerjs&id=me&token=t"],
    ["peer.example:9000/x?key=mine", "wss://peer.example:9000/x/peerjs?key=mine&id=me&token=t"],
    ["http://localhost:9000", "ws://localhost:9000/peerjs?key=peerjs&id=me&token=t"],
  ])("of %s", (server, address) => {
    expect(socketAddress(server, "me", "t").href).toBe(address);
  });
});
