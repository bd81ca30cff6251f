/** Whether anybody can see the page. */

import { signal } from "@preact/signals";

export const isVisible = signal(!document.hidden);

document.addEventListener("visibilitychange", () => {
  isVisible.value = !document.hidden;
});
