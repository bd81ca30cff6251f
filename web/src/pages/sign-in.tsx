/** Signing in with a key, once; the server keeps a cookie in the browser. */

import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import { signIn, wasRevoked } from "../core/signed-in";

export function SignInPage() {
  const [refusal, setRefusal] = useState("");
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget).get("key");
    setRefusal("");
    await signIn(String(given)).catch((error: Error) => setRefusal(error.message));
  };
  return (
    <main class="sign-in">
      <form onSubmit={submit}>
        <img src="/icon.svg" alt="" width="56" height="56" />
        <h1>Angelia</h1>
        {wasRevoked.value && (
          <p role="alert">Your key does not hold any more. Sign in with another one.</p>
        )}
        <label for="key">Key of this server</label>
        <input id="key" name="key" type="password" autocomplete="current-password" required />
        <button type="submit">Sign in</button>
        {refusal !== "" && <p role="alert">{refusal}</p>}
        <p class="dim">
          The first start of the server has made one. Show it with <code>cat ~/.angelia/key</code>.
        </p>
      </form>
    </main>
  );
}
