/** Numbers and times as people read them. */

import type { Status } from "../api/shapes";

export function duration(seconds: number): string {
  if (seconds < 0.0995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export function count(number: number): string {
  return number < 10_000 ? whole.format(number) : short.format(number);
}

/** The server counts money in whatever currency its prices are in. */
export function money(amount: number): string {
  if (amount === 0) return "0";
  if (amount < 0.000001) return "< 0.000001";
  return amount < 0.01 ? amount.toPrecision(2) : amount.toFixed(2);
}

export function moment(seconds: number): string {
  return new Date(seconds * 1000).toLocaleString(undefined, {
    dateStyle: "medium",
    timeStyle: "short",
  });
}

export function clock(seconds: number): string {
  return new Date(seconds * 1000).toLocaleTimeString();
}

/** A time to come: its day is said where it is another one. */
export function until(seconds: number, now: number): string {
  const isToday = new Date(seconds * 1000).toDateString() === new Date(now * 1000).toDateString();
  return isToday ? clock(seconds) : moment(seconds);
}

/** "3 min ago", for lists. */
export function ago(seconds: number, now: number): string {
  const passed = Math.max(0, now - seconds);
  if (passed < 45) return "just now";
  if (Math.round(passed / 60) < 60) return `${Math.round(passed / 60)} min ago`;
  if (Math.round(passed / 3600) < 24) return `${Math.round(passed / 3600)} h ago`;
  if (Math.round(passed / 86_400) < 7) return `${Math.round(passed / 86_400)} d ago`;
  return new Date(seconds * 1000).toLocaleDateString();
}

const STATUS_WORDS: Record<Status, string> = {
  queued: "in line",
  running: "running",
  waiting_for_approval: "asks you",
  waiting_for_client: "waits for its client",
  stopping: "stopping",
  completed: "completed",
  failed: "failed",
  cancelled: "stopped",
};

export function statusWords(status: string): string {
  return STATUS_WORDS[status as Status] ?? status;
}
