/** Small pictures that say what the words beside them say. */

const PATHS = {
  chat: "M4 5h16v11H9l-5 4z",
  runs: "M4 6h9M8 12h12M4 18h7",
  usage: "M5 20V11M12 20V4M19 20v-6",
  jobs: "M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18",
  memory: "M7 3h10v18l-5-4-5 4z",
  tools: "M14 6a4 4 0 0 1 5-1l-3 3 1 2 2 0 2-2a4 4 0 0 1-6 4L8 20l-3-3 7-7a4 4 0 0 1 2-4",
  keys: "M14 10a4 4 0 1 0-3 4l2 2h2v2h2v2h3v-3l-6-6",
  health: "M3 12h4l2-6 4 12 2-6h6",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1 1M18 18l1 1M5 19l1-1M18 6l1-1",
  moon: "M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10",
  half: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
  leave: "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
  plus: "M12 5v14M5 12h14",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l5 5",
  send: "M12 20V5M6 11l6-6 6 6",
  stop: "M7 7h10v10H7z",
  edit: "M4 20l1-5L16 4l4 4L9 19z",
  again: "M20 11a8 8 0 1 0-2 6M20 4v7h-7",
  attach: "M8 12l6-6a3 3 0 0 1 4 4l-8 8a5 5 0 0 1-7-7l7-7",
  left: "M15 5l-7 7 7 7",
  right: "M9 5l7 7-7 7",
  down: "M5 9l7 7 7-7",
  close: "M6 6l12 12M18 6L6 18",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  menu: "M4 6h16M4 12h16M4 18h16",
  play: "M7 4l13 8-13 8z",
  pause: "M8 5v14M16 5v14",
  fork: "M6 4v16M6 12c8 0 12-2 12-8",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
  check: "M5 13l5 5L20 6",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
