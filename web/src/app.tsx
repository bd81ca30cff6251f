/** The frame of the console: who is signed in, the navigation, and the page one is at. */

import type { ComponentType } from "preact";
import { lazy, Suspense } from "preact/compat";
import { useEffect } from "preact/hooks";
import { place } from "./core/route";
import { look, who } from "./core/signed-in";
import { SignInPage } from "./pages/sign-in";
import { Nav } from "./parts/nav";
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
  const state = who.value;
  if (state === "unknown") return <Waiting />;
  if (state === "nobody") return <SignInPage />;
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Nav />
      <main id="main" tabIndex={-1}>
        {/* One for each page: a page that is left while its script is on its way leaves nothing. */}
        <Suspense key={place.value.page} fallback={<Waiting />}>
          <Current />
        </Suspense>
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

function Waiting() {
  return (
    <p class="empty" aria-busy="true">
      Loading …
    </p>
  );
}
