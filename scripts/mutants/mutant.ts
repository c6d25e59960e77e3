import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

/** One way to break the tree: what it breaks, the test that must see it, and the files it changes. */
export interface Mutant {
  /** `file: breaks`, or the name of a patch. */
  readonly name: string;
  readonly breaks: string;
  readonly runner: 'vitest' | 'go';
  readonly args: readonly string[];
  /** Paths in the tree; empty where a patch creates, deletes or renames a file. */
  readonly changed: readonly string[];
  readonly change: Replacement | Patch;
}

/** Puts `replace` where the file holds `find`, which it holds once. */
export interface Replacement {
  readonly area: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** A diff, for a mutant that several places of the tree make together. */
interface Patch {
  readonly path: string;
}

/** From the root of the tree. */
export const MUTATIONS = 'test/mutations';

/** The mutants of each file. */
const AREA = z.record(
  z.string(),
  z.array(
    z.strictObject({
      find: z.string().min(1),
      replace: z.string(),
      breaks: z.string(),
      red: z.string().default(''),
    }),
  ),
);

/** Reads all mutants of a tree, by file and then by what they break. */
export function readMutants(root: string): Mutant[] {
  return readdirSync(join(root, MUTATIONS))
    .sort()
    .flatMap((name) => {
      const text = readFileSync(join(root, MUTATIONS, name), 'utf8');
      if (name.endsWith('.patch')) return [readPatch(name, text)];
      if (name.endsWith('.yaml')) return readMutantFile(name.replace('.yaml', ''), text);
      throw new Error(`${MUTATIONS}/${name} is neither .yaml nor .patch`);
    });
}

/** Reads the mutants of an area; throws where one lacks a field or has another. */
export function readMutantFile(area: string, text: string): Mutant[] {
  const read = AREA.safeParse(parse(text));
  if (!read.success) throw new Error(`${MUTATIONS}/${area}.yaml: ${z.prettifyError(read.error)}`);
  return Object.entries(read.data).flatMap(([file, entries]) =>
    entries.map(({ find, replace, breaks, red }) => ({
      name: `${file}: ${breaks}`,
      breaks,
      ...namedTest(besides(file, red)),
      changed: [file],
      change: { area, file, find, replace },
    })),
  );
}

/** Reads a diff below two lines, `breaks:` and `red:`; throws where they are missing. */
export function readPatch(name: string, text: string): Mutant {
  const breaks = /^breaks: (.+)$/m.exec(text)?.[1];
  const red = /^red: (.+)$/m.exec(text)?.[1];
  if (breaks === undefined || red === undefined)
    throw new Error(`${name}: expected "breaks:" and "red:" lines before the diff`);
  const path = `${MUTATIONS}/${name}`;
  return { name, breaks, ...namedTest(red), changed: changedFiles(text), change: { path } };
}

/** Names the test beside the file where `red` names none; `./` stands for the folder of the file. */
function besides(file: string, red: string): string {
  const own = red === '' || red.startsWith('-t ');
  return own ? `${file.replace(/\.ts$/, '.test.ts')} ${red}` : red.replace(/^\.\//, `${dirname(file)}/`);
}

/** Reads `go` and its arguments, or the arguments of vitest. */
function namedTest(red: string): Pick<Mutant, 'runner' | 'args'> {
  const args = red.match(/"[^"]*"|\S+/g)?.map((part) => part.replaceAll('"', '')) ?? [];
  return args[0] === 'go' ? { runner: 'go', args: args.slice(1) } : { runner: 'vitest', args };
}

function changedFiles(text: string): string[] {
  if (/^(new file|deleted file|rename|copy|old mode|GIT binary)|^(---|\+\+\+) \/dev\/null/m.test(text))
    return [];
  const paths = (header: RegExp): string[] => [...text.matchAll(header)].flatMap((match) => match[1] ?? []);
  return [...new Set([...paths(/^--- a\/(\S+)/gm), ...paths(/^\+\+\+ b\/(\S+)/gm)])];
}
