/** Frames of all clients of a run, page by page. */

import { signal } from "@preact/signals";
import { asSegment, get } from "../../../api/client";
import type { Page } from "../../../api/shapes";

export const COLUMNS = ["runs", "chat", "responses"] as const;
export type Column = (typeof COLUMNS)[number];

/** One entry of the log, and the exact text that a client of each surface got for it. */
export type Entry = { seq: number; timestamp: number; event: string } & Record<Column, string>;

const PAGE = 500;

export class Views {
  readonly entries = signal<readonly Entry[]>([]);
  readonly hasMore = signal(true);
  readonly state = signal<"loading" | "ready">("ready");
  readonly trouble = signal("");
  #asking = false;
  #again = false;

  constructor(
    readonly runId: string,
    readonly toolEvents: string,
    readonly toolItems: string,
  ) {}

  /** The next page, one at a time. What is asked meanwhile is asked once more afterwards. */
  async more(): Promise<void> {
    if (this.#asking) {
      this.#again = true;
      return;
    }
    this.#asking = true;
    this.state.value = "loading";
    try {
      do {
        this.#again = false;
        await this.#next();
      } while (this.#again && this.hasMore.value);
      this.trouble.value = "";
    } catch (error) {
      this.trouble.value = error instanceof Error ? error.message : String(error);
    }
    this.#asking = false;
    this.state.value = "ready";
  }

  async #next(): Promise<void> {
    const after = this.entries.value.at(-1)?.seq ?? 0;
    const asked = { after, limit: PAGE, tool_events: this.toolEvents, tool_items: this.toolItems };
    const page = await get<Page<Entry>>(`/v1/runs/${asSegment(this.runId)}/views`, asked);
    if (page.data.length > 0) this.entries.value = [...this.entries.value, ...page.data];
    this.hasMore.value = page.has_more;
  }
}

/** Frames with the JSON of their data lines spread over lines. */
export function pretty(frames: string): string {
  return frames
    .split("\n")
    .map((line) => (line.startsWith("data: {") ? spread(line) : line))
    .join("\n");
}

function spread(line: string): string {
  try {
    return `data: ${JSON.stringify(JSON.parse(line.slice(6)), null, 2)}`;
  } catch {
    return line;
  }
}
