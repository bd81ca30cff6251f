/** Figures over places along an axis: stacked bars, or lines. */

import { useId, useState } from "preact/hooks";
import { bands, labelled, placeAt, stacked, ticks } from "../core/scale";
import type { Figures } from "../core/usage";
import { sum } from "../core/usage";
import { useWidth } from "./width";

interface Drawn {
  title: string;
  description: string;
  figures: Figures;
  kind: "bars" | "lines";
  /** A value as people read it. */
  words: (value: number) => string;
  /** What stands below the axis for a place. */
  place?: (name: string) => string;
}

const HEIGHT = 200;
const TOP = 8;
const BOTTOM = 24;
const LEFT = 52;
const LABEL = 68;

export function Chart({ title, description, figures, kind, words, place = String }: Drawn) {
  const id = useId();
  const [frame, width] = useWidth();
  const [at, setAt] = useState<number | null>(null);
  const { places, series } = figures;
  const inner = Math.max(0, width - LEFT - 4);
  const chosen = at === null ? null : Math.min(at, places.length - 1);
  const point = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    setAt(placeAt(event.clientX - box.left - LEFT, places.length, inner));
  };
  return (
    <figure class="chart card" aria-labelledby={`${id}-title`}>
      <figcaption>
        <h3 id={`${id}-title`}>{title}</h3>
        <Legend figures={figures} at={chosen} words={words} isSum={kind === "bars"} place={place} />
      </figcaption>
      <div ref={frame} class="plot" onPointerMove={point} onPointerLeave={() => setAt(null)}>
        {width > 0 && (
          <svg
            width={width}
            height={HEIGHT + TOP + BOTTOM}
            role="img"
            aria-labelledby={`${id}-name ${id}-desc`}
          >
            <title id={`${id}-name`}>{title}</title>
            <desc id={`${id}-desc`}>{description}</desc>
            <Plot {...{ figures, kind, words, place, inner, chosen }} />
          </svg>
        )}
      </div>
      {places.length > 1 && series.length > 0 && (
        <input
          type="range"
          class="scrubber"
          min={0}
          max={places.length - 1}
          value={chosen ?? places.length - 1}
          aria-label={`${title}: which place`}
          aria-valuetext={spoken(figures, chosen ?? places.length - 1, words, place)}
          onInput={(event) => setAt(Number(event.currentTarget.value))}
          onFocus={() => setAt(chosen ?? places.length - 1)}
          onBlur={() => setAt(null)}
        />
      )}
    </figure>
  );
}

function spoken(
  { places, series }: Figures,
  at: number,
  words: (value: number) => string,
  place: (name: string) => string,
): string {
  const values = series.map(({ name, values }) => {
    const value = values[at] ?? null;
    return `${name} ${value === null ? "nothing" : words(value)}`;
  });
  return `${place(places[at] ?? "")}: ${values.join(", ")}`;
}

interface Told {
  figures: Figures;
  at: number | null;
  words: (value: number) => string;
  isSum: boolean;
  place: (name: string) => string;
}

/** The series with their colours; with the values of the place that is pointed at. */
function Legend({ figures: { places, series }, at, words, isSum, place }: Told) {
  const shown = (values: (number | null)[]) => {
    if (at === null) return isSum ? words(sum(values)) : "";
    const value = values[at] ?? null;
    return value === null ? "–" : words(value);
  };
  return (
    <ul class="legend">
      {at !== null && <li class="at">{place(places[at] ?? "")}</li>}
      {series.map(({ name, values }, index) => (
        <li key={name}>
          <span class={`swatch series-${index % 8}`} />
          {name} <b>{shown(values)}</b>
        </li>
      ))}
    </ul>
  );
}

interface Plotted {
  figures: Figures;
  kind: "bars" | "lines";
  words: (value: number) => string;
  place: (name: string) => string;
  inner: number;
  chosen: number | null;
}

function Plot({ figures, kind, words, place, inner, chosen }: Plotted) {
  const { places, series } = figures;
  const stack = stacked(series.map(({ values }) => values.map((value) => value ?? 0)));
  const tops = kind === "bars" ? (stack.at(-1) ?? []).map(({ to }) => to) : allOf(figures);
  const marks = ticks(Math.max(0, ...tops));
  const highest = marks.at(-1) ?? 1;
  const y = (value: number) => TOP + HEIGHT - (value / highest) * HEIGHT;
  const columns = bands(places.length, inner);
  const step = places.length === 0 ? inner : inner / places.length;
  return (
    <>
      {marks.map((mark) => (
        <g key={mark}>
          <line class="grid" x1={LEFT} x2={LEFT + inner} y1={y(mark)} y2={y(mark)} />
          <text class="tick" x={LEFT - 8} y={y(mark) + 4} text-anchor="end">
            {words(mark)}
          </text>
        </g>
      ))}
      {chosen !== null && (
        <rect class="here" x={LEFT + chosen * step} y={TOP} width={step} height={HEIGHT} />
      )}
      {labelled(places.length, Math.max(1, Math.floor(inner / LABEL))).map((index) => {
        const middle = columns[index]?.middle ?? 0;
        const isAtEdge = middle + LABEL / 3 > inner;
        return (
          <text
            key={index}
            class="tick"
            x={LEFT + (isAtEdge ? inner : middle)}
            y={TOP + HEIGHT + 18}
            text-anchor={isAtEdge ? "end" : "middle"}
          >
            {cut(place(places[index] ?? ""), step, places.length)}
          </text>
        );
      })}
      {kind === "bars"
        ? stack.map((pieces, index) => (
            <g key={series[index]?.name} class={`series-${index % 8}`}>
              {pieces.map(({ from, to }, at) => {
                const band = columns[at];
                if (band === undefined || to <= from) return null;
                return (
                  <rect
                    key={places[at]}
                    x={LEFT + band.start}
                    width={Math.max(1, Math.min(band.width, 64))}
                    y={y(to)}
                    height={y(from) - y(to)}
                    transform={`translate(${Math.max(0, (band.width - 64) / 2)} 0)`}
                  />
                );
              })}
            </g>
          ))
        : series.map(({ name, values }, index) => (
            <g key={name} class={`series-${index % 8} line`}>
              <path d={path(values, (at) => LEFT + (columns[at]?.middle ?? 0), y)} />
              {values.map((value, at) =>
                value === null ? null : (
                  <circle
                    key={places[at]}
                    cx={LEFT + (columns[at]?.middle ?? 0)}
                    cy={y(value)}
                    r={at === chosen ? 4 : 2.5}
                  />
                ),
              )}
            </g>
          ))}
    </>
  );
}

function allOf({ series }: Figures): number[] {
  return series.flatMap(({ values }) => values.filter((value) => value !== null));
}

/** Names of models are long; days are not. */
function cut(text: string, step: number, count: number): string {
  const most = Math.max(6, Math.floor((count > 12 ? LABEL : step) / 7));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** A line through what is known; it is broken where nothing is. */
function path(
  values: readonly (number | null)[],
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  let isOpen = false;
  return values
    .map((value, at) => {
      if (value === null) {
        isOpen = false;
        return "";
      }
      const move = isOpen ? "L" : "M";
      isOpen = true;
      return `${move}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
    })
    .join("");
}
