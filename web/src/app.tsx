/** The frame of the console: who is signed in, the navigation, and the page one is at. */

import type { ComponentChildren, ComponentType } from "preact";
import { lazy, Suspense } from "preact/compat";
import { useEffect, useErrorBoundary } from "preact/hooks";
import { place } from "./core/route";
import { look, trouble, who } from "./core/signed-in";
import { useTitle } from "./core/title";
import { SignInPage } from "./pages/sign-in";
import { Nav, wordsOf } from "./parts/nav";
import { Toasts } from "./parts/toasts";

/** Each page is a script of its own, fetched when it is first opened. */
const PAGES: Record<string, ComponentType> = {
  chat: lazy(() => import("./pages/chat/page")),
  runs: lazy(() => import("./pages/runs/page")),
  usage: lazy(() => import("./pages/usage/page")),
  jobs: lazy(() => import("./pages/jobs/page")),
  memory: lazy(() => import("./pages/memory/page")),
  keys: lazy(() => import("./pages/keys/page")),
  tools: lazy(() => import("./pages/tools/page")),
  health: lazy(() => import("./pages/health/page")),
};

export function App() {
  useEffect(() => void look(), []);
  useTitle(wordsOf(place.value.page));
  const state = who.value;
  if (state === "unknown") return <Waiting />;
  if (state === "nobody") return <SignInPage />;
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={skip}>
        Skip to the content
      </button>
      <Nav />
      <main id="main" tabIndex={-1}>
        {/* One for each page: a page that is left while its script is on its way leaves nothing. */}
        <Guarded key={place.value.page}>
          <Suspense fallback={<Waiting />}>
            <Current />
          </Suspense>
        </Guarded>
      </main>
      <Toasts />
    </div>
  );
}

function Current() {
  const Page = PAGES[place.value.page];
  if (Page === undefined) return <p class="empty">There is no page “{place.value.page}”.</p>;
  return <Page />;
}

/** No link: the address says which page is open, and cannot say as well where on it one is. */
function skip(): void {
  document.getElementById("main")?.focus();
}

/** A script that did not come is not asked for again by the browser, but by a page of its own. */
function Guarded({ children }: { children: ComponentChildren }) {
  const [error] = useErrorBoundary();
  if (error === undefined) return children;
  return (
    <div class="empty">
      <p role="alert">This page could not be opened: {String(error.message ?? error)}</p>
      <button type="button" onClick={() => globalThis.location.reload()}>
        Try again
      </button>
    </div>
  );
}

function Waiting() {
  return (
    <p class="empty" aria-busy="true">
      {trouble.value === "" ? "Loading …" : `${trouble.value} Trying again …`}
    </p>
  );
}
