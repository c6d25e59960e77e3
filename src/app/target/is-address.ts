/** True for the address of a gateway where a file could stand too. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//.test(text);
}
