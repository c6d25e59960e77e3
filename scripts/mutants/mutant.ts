/** One patch of test/mutations/: what it breaks, the test that must see it, and the files it changes. */
export interface Mutant {
  readonly name: string;
  readonly breaks: string;
  readonly runner: 'vitest' | 'go';
  readonly args: readonly string[];
  /** Paths in the tree, as in the headers of the diff; empty where the patch creates, deletes or renames a file. */
  readonly changed: readonly string[];
}

/** Reads the text of a patch; throws where the two lines before the diff are missing. */
export function readMutant(name: string, text: string): Mutant {
  const breaks = /^breaks: (.+)$/m.exec(text)?.[1];
  const red = /^red: (vitest|go) (.+)$/m.exec(text);
  if (breaks === undefined || red === null)
    throw new Error(`${name}: expected "breaks:" and "red:" lines before the diff`);
  const args = (red[2] ?? '').match(/"[^"]*"|\S+/g)?.map((part) => part.replaceAll('"', '')) ?? [];
  return { name, breaks, runner: red[1] === 'go' ? 'go' : 'vitest', args, changed: changedFiles(text) };
}

function changedFiles(text: string): string[] {
  if (/^(new file|deleted file|rename|copy|old mode|GIT binary)|^(---|\+\+\+) \/dev\/null/m.test(text))
    return [];
  const paths = (header: RegExp): string[] => [...text.matchAll(header)].flatMap((match) => match[1] ?? []);
  return [...new Set([...paths(/^--- a\/(\S+)/gm), ...paths(/^\+\+\+ b\/(\S+)/gm)])];
}
