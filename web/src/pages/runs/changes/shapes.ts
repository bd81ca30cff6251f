/** Changes of a run as the server tells them. */

export interface Changed {
  path: string;
  change: "created" | "changed" | "deleted";
  status: "there" | "undone" | "conflict";
  diff: string;
  note: string;
}

export interface Changes {
  run_id: string;
  data: Changed[];
  notes: string[];
}

export interface Undone {
  dry_run: boolean;
  restored: string[];
  removed: string[];
  conflicts: { path: string; reason: string }[];
  notes: string[];
}

export const STANDINGS: Record<Changed["status"], string> = {
  there: "as the run left it",
  undone: "undone",
  conflict: "changed since",
};
