/** The ways to the pages. */

import { address, place } from "../core/route";
import { isAdmin, signOut, version, who } from "../core/signed-in";
import { nextTheme, theme } from "../core/theme";
import { Icon, type IconName } from "./icon";

interface Way {
  page: string;
  words: string;
  icon: IconName;
  adminOnly?: boolean;
}

const WAYS: readonly Way[] = [
  { page: "chat", words: "Chat", icon: "chat" },
  { page: "runs", words: "Runs", icon: "runs" },
  { page: "usage", words: "Usage", icon: "usage" },
  { page: "jobs", words: "Jobs", icon: "jobs" },
  { page: "memory", words: "Memory", icon: "memory" },
  { page: "tools", words: "Tools", icon: "tools" },
  { page: "keys", words: "Keys", icon: "keys", adminOnly: true },
  { page: "health", words: "Health", icon: "health" },
];

/** What a page is called; empty where there is none. */
export function wordsOf(page: string): string {
  return WAYS.find((way) => way.page === page)?.words ?? "";
}

export function Nav() {
  const signedIn = who.value;
  const name = typeof signedIn === "object" ? signedIn.key?.name : "";
  return (
    <nav class="ways" aria-label="Pages">
      <a class="brand" href={address("chat")} title={`Angelia ${version.value}`}>
        <img src="/icon.svg" alt="" width="28" height="28" />
        <span>Angelia</span>
      </a>
      <ul>
        {WAYS.filter((way) => !way.adminOnly || isAdmin.value).map((way) => (
          <li key={way.page}>
            <a
              href={address(way.page)}
              aria-current={place.value.page === way.page ? "page" : undefined}
            >
              <Icon name={way.icon} />
              <span>{way.words}</span>
            </a>
          </li>
        ))}
      </ul>
      <div class="foot">
        <button type="button" class="quiet" onClick={nextTheme} title={`Theme: ${theme.value}`}>
          <Icon name={theme.value === "dark" ? "moon" : theme.value === "light" ? "sun" : "half"} />
          <span>Theme: {theme.value}</span>
        </button>
        <button type="button" class="quiet" onClick={() => void signOut()} title="Sign out">
          <Icon name="leave" />
          <span>Sign out{name ? ` (key “${name}”)` : ""}</span>
        </button>
      </div>
    </nav>
  );
}
