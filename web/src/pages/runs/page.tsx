/** Runs: the list of them, or one of them. */

import { place } from "../../core/route";
import { RunList } from "./list";
import { RunPage } from "./run";

export default function RunsPage() {
  const { rest } = place.value;
  return rest === "" ? <RunList /> : <RunPage key={rest} runId={rest} />;
}
