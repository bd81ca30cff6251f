/** The time of day for things that grow while they are looked at. */

import { useEffect, useState } from "preact/hooks";

/** In seconds since the epoch, again every so many milliseconds; 0 stands still. */
export function useNow(every: number): number {
  const [now, setNow] = useState(() => Date.now() / 1000);
  useEffect(() => {
    if (every === 0) return;
    const timer = setInterval(() => setNow(Date.now() / 1000), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
