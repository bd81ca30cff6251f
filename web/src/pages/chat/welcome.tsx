/** What a newcomer sees: a word, and three things to try. */

import { attempt } from "../../parts/toasts";
import type { Conversation } from "./conversation";
import { newMark } from "./mark";

const EXAMPLES = [
  "Run `echo hello` for me.",
  "Think, then list the files.",
  "Write notes.md: remember the milk",
];

export function Welcome({ conversation }: { conversation: Conversation }) {
  const say = (words: string) => void attempt(() => conversation.say(words, newMark()));
  return (
    <div class="welcome">
      <img src="/icon.svg" alt="" width="56" height="56" />
      <h2>What shall we do?</h2>
      <p class="dim">
        Ask anything. You see every step, and you can stop it or join in at any time.
      </p>
      <ul>
        {EXAMPLES.map((words) => (
          <li key={words}>
            <button
              type="button"
              class="plain example"
              disabled={conversation.isStarting.value}
              onClick={() => say(words)}
            >
              {words}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
