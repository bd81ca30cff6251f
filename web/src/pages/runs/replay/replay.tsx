/** The run once more, at any speed, forwards and back. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { comeBy, nextTool, previousTool, schedule, Tape } from "../../../core/replay";
import { duration } from "../../../core/words";
import type { Tab } from "../run";
import { Blocks } from "./blocks";
import { Controls } from "./controls";

/** With gaps skipped, nothing lasts longer than this. */
const LONGEST_GAP = 1;

export default function Replay({ log }: Tab) {
  const version = log.version.value;
  const tape = useMemo(() => new Tape(log.events), [log]);
  const [skips, setSkips] = useState(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the log grows in place, the version says so
  const times = useMemo(
    () => schedule(log.events, skips ? LONGEST_GAP : undefined),
    [version, log, skips],
  );
  const [count, setCount] = useState(0);
  const [speed, setSpeed] = useState(1);
  const [isPlaying, setPlaying] = useState(false);
  usePlaying(isPlaying, speed, times, count, setCount, () => setPlaying(false));
  const to = (next: number) => setCount(Math.min(Math.max(0, next), log.events.length));
  const play = () => {
    if (count >= log.events.length) to(0);
    setPlaying(!isPlaying);
  };
  const moves = {
    play,
    back: () => to(count - 1),
    forward: () => to(count + 1),
    nextTool: () => to(nextTool(log.events, count)),
    previousTool: () => to(previousTool(log.events, count)),
    start: () => to(0),
    end: () => to(log.events.length),
  };
  const onKeyDown = (event: KeyboardEvent) => steer(event, moves);
  const event = log.events[count - 1];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys work wherever one is in the tab
    <div class="replay" onKeyDown={onKeyDown}>
      <Controls
        {...{ moves, count, to, speed, setSpeed, isPlaying, skips, setSkips }}
        total={log.events.length}
      />
      <p class="dim replay-now">
        {count} of {log.events.length} events
        {event !== undefined && ` · ${event.event}`} · {duration(times[count - 1] ?? 0)} of{" "}
        {duration(times.at(-1) ?? 0)}
      </p>
      <Blocks view={tape.after(count)} />
    </div>
  );
}

type Moves = Record<"play" | "back" | "forward" | "nextTool" | "start" | "end", () => void>;

/** Controls that take the key for themselves keep it. */
function steer(event: KeyboardEvent, moves: Moves): void {
  const target = event.target as HTMLElement;
  if (target.matches("select, input[type=checkbox]")) return;
  if (event.key === " " && target.matches("button, a, summary")) return;
  const deeds: Record<string, () => void> = {
    " ": moves.play,
    ArrowRight: moves.forward,
    ArrowLeft: moves.back,
    Home: moves.start,
    End: moves.end,
    n: moves.nextTool,
  };
  const deed = deeds[event.key];
  if (deed === undefined) return;
  event.preventDefault();
  deed();
}

/** Moves on with the frames of the browser; a speed without end is there at once. */
function usePlaying(
  isPlaying: boolean,
  speed: number,
  times: readonly number[],
  count: number,
  setCount: (count: number) => void,
  onEnd: () => void,
): void {
  const latest = useRef({ times, onEnd, count, setCount });
  latest.current = { times, onEnd, count, setCount };
  useEffect(() => {
    if (!isPlaying) return;
    let at = latest.current.times[latest.current.count - 1] ?? 0;
    let shown = latest.current.count;
    let before = performance.now();
    let frame = 0;
    const step = (time: number) => {
      const { times, onEnd, count, setCount } = latest.current;
      // Somebody has moved it by hand.
      if (count !== shown) at = times[count - 1] ?? 0;
      at += ((time - before) / 1000) * speed;
      before = time;
      shown = Number.isFinite(speed) ? Math.max(count, comeBy(times, at)) : times.length;
      setCount(shown);
      latest.current.count = shown;
      if (shown >= times.length) onEnd();
      else frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, speed]);
}
