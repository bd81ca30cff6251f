/** Marks by which the server knows a request that comes twice. */

export function newMark(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
