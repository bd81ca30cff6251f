/** Light or dark: what the system says, unless somebody has chosen. */

import { effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const NAME = "angelia-theme";

function kept(): Theme {
  const value = localStorage.getItem(NAME);
  return value === "light" || value === "dark" ? value : "system";
}

export const theme = signal<Theme>(kept());

effect(() => {
  localStorage.setItem(NAME, theme.value);
  if (theme.value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
});

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };

export function nextTheme(): void {
  theme.value = NEXT[theme.value];
}
