/** What moves a replay. */

import { Icon } from "../../../parts/icon";

interface Steered {
  moves: Record<"play" | "back" | "forward" | "nextTool" | "previousTool", () => void>;
  count: number;
  total: number;
  to: (count: number) => void;
  speed: number;
  setSpeed: (speed: number) => void;
  isPlaying: boolean;
  skips: boolean;
  setSkips: (skips: boolean) => void;
}

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32];

export function Controls(steered: Steered) {
  const { moves, count, total, to, isPlaying } = steered;
  return (
    <fieldset class="replay-controls card" aria-label="Replay">
      <input
        type="range"
        aria-label="Position"
        min={0}
        max={total}
        value={count}
        aria-valuetext={`event ${count} of ${total}`}
        onInput={(event) => to(Number(event.currentTarget.value))}
      />
      <div class="line">
        <button type="button" onClick={moves.play}>
          <Icon name={isPlaying ? "pause" : "play"} /> {isPlaying ? "Pause" : "Play"}
        </button>
        <button type="button" class="plain" aria-label="One event back" onClick={moves.back}>
          <Icon name="left" />
        </button>
        <button type="button" class="plain" aria-label="One event on" onClick={moves.forward}>
          <Icon name="right" />
        </button>
        <button type="button" class="plain" onClick={moves.previousTool}>
          Previous tool
        </button>
        <button type="button" class="plain" onClick={moves.nextTool}>
          Next tool
        </button>
        <Speed {...steered} />
      </div>
    </fieldset>
  );
}

function Speed({ speed, setSpeed, skips, setSkips }: Steered) {
  return (
    <>
      <label class="check">
        Speed
        <select
          value={String(speed)}
          onChange={(event) => setSpeed(Number(event.currentTarget.value))}
        >
          {SPEEDS.map((each) => (
            <option key={each} value={String(each)}>
              {each}×
            </option>
          ))}
          <option value="Infinity">at once</option>
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={skips}
          onChange={(event) => setSkips(event.currentTarget.checked)}
        />
        Skip long pauses
      </label>
    </>
  );
}
