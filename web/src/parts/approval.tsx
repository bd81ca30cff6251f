/** A question to a person: what is to be done, why it is asked, and the answers. */

import { useEffect, useRef, useState } from "preact/hooks";
import { ask, asSegment, get } from "../api/client";
import type { Choice, PendingApproval, Run } from "../api/shapes";
import { proposed } from "../core/file-diff";
import type { Approval, Tool } from "../core/turn";
import { moment, until } from "../core/words";
import { Diff } from "./diff";
import { attempt } from "./toasts";

const WORDS: Record<Choice, string> = {
  once: "Allow once",
  session: "Allow for this session",
  always: "Always allow",
  deny: "Deny",
};
const SAID: Record<Choice, string> = {
  once: "Allowed once",
  session: "Allowed for this session",
  always: "Always allowed",
  deny: "Denied",
};
const BY: Record<string, string> = { user: "a person", policy: "the policy", expired: "the clock" };

interface Asked {
  runId: string;
  tool: Tool;
  approval: Approval;
}

export function ApprovalCard({ runId, tool, approval }: Asked) {
  if (approval.answer !== null) return <Answered answer={approval.answer} />;
  if (tool.state === "done") return <p class="approval-said">Nobody answered; the run is over.</p>;
  return <Question runId={runId} tool={tool} approval={approval} />;
}

function Answered({ answer }: { answer: NonNullable<Approval["answer"]> }) {
  const { choice, by, reason, at } = answer;
  const words = by === "expired" ? "Nobody answered in time" : `${SAID[choice]} by ${BY[by] ?? by}`;
  return (
    <p class="approval-said">
      {words}
      <span class="dim">, {moment(at)}</span>
      {reason && `: ${reason}`}
    </p>
  );
}

function Question({ runId, tool, approval }: Asked) {
  const [reason, setReason] = useState("");
  const [isSending, setSending] = useState(false);
  const known = usePending(runId, approval.id);
  const card = useRef<HTMLElement>(null);
  const answer = async (choice: Choice) => {
    const isByKeyboard = card.current?.querySelector(":focus-visible") !== null;
    setSending(true);
    const said = choice === "deny" && reason !== "" ? { reason } : {};
    const body = { approval_id: approval.id, choice, ...said };
    const went = await attempt(() => ask("POST", `/v1/runs/${asSegment(runId)}/approval`, body));
    // The answer shows when the run tells of it.
    if (!went) setSending(false);
    else if (isByKeyboard) moveOn(card.current);
  };
  return (
    <section
      ref={card}
      class="approval-card"
      role="alert"
      aria-label={`Approval needed for ${tool.name}`}
    >
      <p>
        <strong>Approval needed</strong> for <code>{tool.name}</code>
      </p>
      <Proposal tool={tool} args={known?.args ?? tool.args} preview={approval.preview} />
      <p class="dim">{approval.reason}</p>
      <div class="row">
        {approval.choices.map((choice) => (
          <button
            key={choice}
            type="button"
            class={choice === "deny" ? "danger" : choice === "once" ? "" : "plain"}
            disabled={isSending}
            onClick={() => void answer(choice)}
          >
            {WORDS[choice]}
          </button>
        ))}
      </div>
      <input
        aria-label="Why not (read by the model if you deny)"
        placeholder="Why not, if you deny (optional)"
        value={reason}
        onInput={(event) => setReason(event.currentTarget.value)}
      />
      <Scope known={known} approval={approval} />
    </section>
  );
}

/** The card goes away with its buttons: the next question is at hand, or the box one writes in. */
function moveOn(card: HTMLElement | null): void {
  const others = [...document.querySelectorAll<HTMLElement>(".approval-card button:enabled")];
  const next = others.find((button) => card?.contains(button) === false);
  (next ?? document.getElementById("message") ?? document.getElementById("main"))?.focus();
}

/** What longer answers cover, and until when one can be given. */
function Scope({ known, approval }: { known: PendingApproval | null; approval: Approval }) {
  const covers = known?.covers ?? [];
  return (
    <p class="dim small">
      Asked {moment(approval.askedAt)}.{" "}
      {covers.length > 0 && (
        <>
          “Session” and “always” cover{" "}
          {covers.map((each, index) => (
            <span key={each}>
              {index > 0 && ", "}
              <code>{each}</code>
            </span>
          ))}
          .{" "}
        </>
      )}
      {approval.expiresAt !== null && (
        <>Can be answered until {until(approval.expiresAt, Date.now() / 1000)}. </>
      )}
      {approval.code && (
        <>
          Code: <code>{approval.code}</code>
        </>
      )}
    </p>
  );
}

function Proposal({ tool, args, preview }: { tool: Tool; args: unknown; preview: string }) {
  const files = proposed(tool.name, args);
  if (files !== null) return <Diff files={files} />;
  const command = (args as { command?: unknown } | null)?.command;
  const text = typeof command === "string" ? command : pretty(args) || preview;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre class="asked" tabIndex={0}>
      {text}
    </pre>
  );
}

export function pretty(args: unknown): string {
  if (typeof args !== "string") return JSON.stringify(args, null, 2) ?? "";
  try {
    return JSON.stringify(JSON.parse(args), null, 2);
  } catch {
    return args;
  }
}

function usePending(runId: string, id: string): PendingApproval | null {
  const [known, setKnown] = useState<PendingApproval | null>(null);
  useEffect(() => {
    get<Run>(`/v1/runs/${asSegment(runId)}`)
      .then((run) =>
        setKnown(run.pending_approvals.find((each) => each.approval_id === id) ?? null),
      )
      .catch(() => {});
  }, [runId, id]);
  return known;
}
