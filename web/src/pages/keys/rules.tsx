/** What a key is bound to. */

import type { KeyRules } from "../../api/admin-shapes";
import type { Form } from "../../core/form";
import { Field } from "../../parts/field";

interface Bound {
  form: Form;
  rules: KeyRules | null;
}

const NUMBERS = [
  ["requests_per_minute", "Requests a minute", "1"],
  ["concurrent_runs", "Runs at once", "1"],
  ["daily_budget", "Budget of a day", "any"],
  ["monthly_budget", "Budget of a month", "any"],
] as const;

export function RuleFields({ form, rules }: Bound) {
  return (
    <details open={rules !== null}>
      <summary>Rules</summary>
      <div class="form">
        <p class="hint">What is empty is as for everybody. Names have commas between them.</p>
        <div class="pair wide">
          <Field form={form} name="rules.models" label="Only these models">
            {(tied) => <input {...tied} defaultValue={rules?.models?.join(", ") ?? ""} />}
          </Field>
          <Field form={form} name="rules.tools" label="Only these tools or toolsets">
            {(tied) => <input {...tied} defaultValue={rules?.tools?.join(", ") ?? ""} />}
          </Field>
          <label class="checks">
            <input type="checkbox" name="no-tools" defaultChecked={rules?.tools?.length === 0} />
            No tools at all
          </label>
        </div>
        <div class="pair wide">
          {NUMBERS.map(([name, label, step]) => (
            <Field key={name} form={form} name={`rules.${name}`} label={label}>
              {(tied) => (
                <input
                  {...tied}
                  type="number"
                  min={0}
                  step={step}
                  defaultValue={rules?.[name] ?? ""}
                />
              )}
            </Field>
          ))}
        </div>
        <div class="pair wide">
          <Field form={form} name="rules.policy.ask" label="Ask before these tools or effects">
            {(tied) => <input {...tied} defaultValue={rules?.policy.ask.join(", ") ?? ""} />}
          </Field>
          <Field form={form} name="rules.policy.deny" label="Refuse these tools or effects">
            {(tied) => <input {...tied} defaultValue={rules?.policy.deny.join(", ") ?? ""} />}
          </Field>
          <Field form={form} name="rules.on_disconnect" label="When a client leaves">
            {(tied) => (
              <select {...tied} defaultValue={rules?.on_disconnect ?? ""}>
                <option value="">as for everybody</option>
                <option value="cancel">its run is stopped</option>
                <option value="continue">its run goes on</option>
              </select>
            )}
          </Field>
        </div>
      </div>
    </details>
  );
}
