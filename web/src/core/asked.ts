/** What a page has asked the server for, and what has become of it. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { get, Refused } from "../api/client";

/** While an answer is there it stays, also when a later one is refused. */
export interface Asked<T> {
  value: T | null;
  refusal: Refused | null;
  isWaiting: boolean;
  again: () => Promise<void>;
}

/** Asks for a path, and anew whenever the path is another one. Null asks for nothing. */
export function useAsked<T>(path: string | null, ask: (path: string) => Promise<T> = get<T>) {
  const [state, setState] = useState<Omit<Asked<T>, "again">>(NOTHING);
  const latest = useRef(0);
  const asker = useRef(ask);
  const again = useCallback(async () => {
    if (path === null) return;
    latest.current += 1;
    const turn = latest.current;
    const isLatest = () => turn === latest.current;
    setState((before) => ({ ...before, isWaiting: true }));
    try {
      const value = await asker.current(path);
      if (isLatest()) setState({ value, refusal: null, isWaiting: false });
    } catch (error) {
      const refusal = error instanceof Refused ? error : new Refused(0, String(error));
      if (isLatest()) setState(({ value }) => ({ value, refusal, isWaiting: false }));
    }
  }, [path]);
  useEffect(() => {
    void again();
    return () => {
      latest.current += 1;
    };
  }, [again]);
  return { ...state, again } as Asked<T>;
}

const NOTHING = { value: null, refusal: null, isWaiting: true };

/** Calls back again and again while the page is looked at. */
export function useEvery(seconds: number, work: () => void): void {
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, seconds * 1000);
    return () => clearInterval(timer);
  }, [seconds]);
}
