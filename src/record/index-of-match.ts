/**
 * Where one character that a global expression names is found next, from `at` on; -1 where there is none. `exec` would
 * make a list for each line and each text that is read.
 */
export function indexOfMatch(character: RegExp, text: string, at: number): number {
  character.lastIndex = at;
  return character.test(text) ? character.lastIndex - 1 : -1;
}
