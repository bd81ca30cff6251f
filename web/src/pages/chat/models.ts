/** Which agent answers: the names that the server has, and the one that was chosen here. */

import { signal } from "@preact/signals";
import { get } from "../../api/client";

const NAME = "angelia-model";

export const models = signal<readonly string[]>([]);
/** Null: whichever the server takes by itself. */
export const chosenModel = signal<string | null>(localStorage.getItem(NAME));

export async function loadModels(): Promise<void> {
  const page = await get<{ data: { id: string }[] }>("/v1/models");
  models.value = page.data.map(({ id }) => id);
  if (chosenModel.value !== null && !models.value.includes(chosenModel.value)) choose(null);
}

export function choose(name: string | null): void {
  chosenModel.value = name;
  if (name === null) localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, name);
}
