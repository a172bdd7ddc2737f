// Scripts that are loaded later, and come only at a second attempt.
import { expect, it, vi } from "vitest";
import { piece } from "../src/device/piece";

it("loads once for all who ask", async () => {
  const load = vi.fn(async () => "here");
  const get = piece(load);
  expect(await Promise.all([get(), get()])).toEqual(["here", "here"]);
  expect(await get()).toBe("here");
  expect(load).toHaveBeenCalledTimes(1);
});

it("tries again after a failure", async () => {
  const load = vi.fn(async () => "here").mockRejectedValueOnce(new TypeError("Importing a module script failed."));
  const get = piece(load);
  await expect(get()).rejects.toThrow("Importing");
  expect(await get()).toBe("here");
});

it("asks under another address where the browser remembers the failure", async () => {
  const url = "https://host.example/games/assets/rules-Ab_1-2.js";
  const load = vi.fn(() => Promise.reject(new TypeError(`error loading dynamically imported module: ${url}`)));
  const anew = vi.fn(async (address: string) => address).mockRejectedValueOnce(new TypeError(`error loading dynamically imported module: ${url}?again=1`));
  const get = piece<string>(load, anew);
  await expect(get()).rejects.toThrow(url);
  await expect(get()).rejects.toThrow("again=1");
  expect(await get()).toBe(`${url}?again=2`);
  expect(load).toHaveBeenCalledTimes(1);
});
