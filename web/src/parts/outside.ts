/** Closes what is open when somebody presses or focuses something beside it. */

import { useLayoutEffect } from "preact/hooks";

export function useOutside(
  element: { current: HTMLElement | null },
  close: () => void,
  isOpen = true,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it calls is the same each time
  useLayoutEffect(() => {
    if (!isOpen) return;
    const pressed = (event: Event) => {
      if (!element.current?.contains(event.target as Node)) close();
    };
    document.addEventListener("pointerdown", pressed);
    document.addEventListener("focusin", pressed);
    return () => {
      document.removeEventListener("pointerdown", pressed);
      document.removeEventListener("focusin", pressed);
    };
  }, [isOpen]);
}
