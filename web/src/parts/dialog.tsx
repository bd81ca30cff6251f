/** A question over the page, closed by Escape, by its button or by an answer. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface Asked {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: Asked) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    element.current?.showModal();
    return () => giveFocusBack(opener);
  }, []);
  return (
    <dialog ref={element} aria-label={title} onClose={onClose}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="quiet small" onClick={onClose}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  );
}

/** To where it was; whoever opened it may be gone by now. */
function giveFocusBack(opener: Element | null): void {
  const isThere = opener instanceof HTMLElement && opener.isConnected;
  (isThere ? opener : document.getElementById("main"))?.focus();
}
