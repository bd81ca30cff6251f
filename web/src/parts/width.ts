/** How wide an element is, now and whenever that changes. */

import { useCallback, useRef, useState } from "preact/hooks";

export function useWidth(): [(element: HTMLElement | null) => void, number] {
  const [width, setWidth] = useState(0);
  const watching = useRef<ResizeObserver | null>(null);
  const watch = useCallback((element: HTMLElement | null) => {
    watching.current?.disconnect();
    if (element === null) return;
    setWidth(element.clientWidth);
    watching.current = new ResizeObserver(() => setWidth(element.clientWidth));
    watching.current.observe(element);
  }, []);
  return [watch, width];
}
