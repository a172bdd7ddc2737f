// Small line icons, 24 x 24.
import type { JSX } from "preact";

const PATHS = {
  menu: "M4 7h16M4 12h16M4 17h10",
  close: "M6 6l12 12M18 6 6 18",
  back: "M15 5l-7 7 7 7",
  share: "M12 15V4M8 7.5 12 3.500l4 4M5 12v7h14v-7",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  bot: "M6 9h12v9H6zM12 9V5M9.5 13v.01M14.5 13v.01M9 18v2M15 18v2",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  open: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 6.5-2",
  log: "M5 6h14M5 11h14M5 16h9",
  rules: "M6 4h12v16H6zM9 8h6M9 12h6M9 16h3",
  sound: "M4 10v4h4l5 4V6l-5 4zM16.5 9a4 4 0 0 1 0 6M19 6.500a8 8 0 0 1 0 11",
  mute: "M4 10v4h4l5 4V6l-5 4zM16 9.500l5 5M21 9.500l-5 5",
  qr: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM19 14v6M14 19h2",
  link: "M4 18v2M9 14v6M14 10v10M19 5v15",
  flag: "M6 21V4h11l-2 4 2 4H6",
  leave: "M10 5H5v14h5M14 8l4 4-4 4M18 12H9",
  host: "M4 17l1.5-9 4.5 4 2-6 2 6 4.5-4L20 17z",
  pause: "M8 5v14M16 5v14",
  check: "M5 12.5 10 17.5 19 7",
  plus: "M12 5v14M5 12h14",
  eye: "M2.5 12C5 7.5 8.5 5.5 12 5.500s7 2 9.5 6.500c-2.5 4.5-6 6.5-9.5 6.500s-7-2-9.5-6.500zM12 9.500a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5",
  sort: "M7 5v14M4 16l3 3 3-3M13 7h7M13 12h5M13 17h3",
  off: "M3 9a13 13 0 0 1 18 0M6.5 13a8 8 0 0 1 11 0M12 18v.01M4 4l16 16",
  app: "M5 5h14v10H5zM9 19h6",
  hand: "M7 12V6.500a1.5 1.5 0 0 1 3 0V11 4.500a1.5 1.5 0 0 1 3 0V11 6a1.5 1.5 0 0 1 3 0v8c0 4-2 6.5-5.5 6.500S6 18.5 5 15l-1-3c0-1.5 2-2 3 0z",
  pair: "M9 8a3 3 0 1 0 0 .01M4 19c0-4 2-6 5-6s5 2 5 6M16 8a3 3 0 1 0 0 .01M16 13c3 0 4.5 2 4.5 6",
  tap: "M12 3v3M5.5 6l2 2M18.5 6l-2 2M12 10v9M12 10l5 2",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
