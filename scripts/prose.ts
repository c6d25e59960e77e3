/**
 * Measures the prose of README.md and docs/*.md by the limits of docs/style.md, and looks for words of its list.
 * `node scripts/prose.ts [FILE…]` prints the figures of each page and what to change, and ends with 1 where a page fails.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Figures, figuresOf, judgeProse } from './prose/judge-prose.ts';
import { readProse, readWordList, type Sentence } from './prose/read-prose.ts';

const ROOT = resolve(import.meta.dirname, '..');
const WORDS = readWordList(join(import.meta.dirname, 'prose/word-list.yml'));

const { positionals: named } = parseArgs({ allowPositionals: true });
const all: Sentence[] = [];
let failed = 0;
for (const page of named.length > 0 ? named : pages()) {
  const prose = readProse(readFileSync(resolve(page), 'utf8'), WORDS);
  all.push(...prose.sentences);
  const faults = judgeProse(prose);
  const state = faults.length === 0 ? 'clean' : `${faults.length} to change`;
  console.log(`${line(page, figuresOf(prose.sentences))}  ${state}`);
  if (faults.length === 0) continue;
  failed += 1;
  for (const fault of faults) console.log(`  ${page}:${fault}`);
}
console.log(line('all', figuresOf(all)));
if (failed > 0) {
  console.error(`The prose of ${failed} pages is not clean. docs/style.md says how to write.`);
  process.exitCode = 1;
}

function pages(): readonly string[] {
  process.chdir(ROOT);
  const docs = readdirSync('docs').filter((name) => name.endsWith('.md'));
  return ['README.md', 'CONTRIBUTING.md', 'examples/README.md', ...docs.sort().map((name) => `docs/${name}`)];
}

function line(name: string, { sentences, median, longest }: Figures): string {
  return `${name.padEnd(28)} ${String(sentences).padStart(5)} sentences  median ${String(median).padStart(2)}  longest ${String(longest).padStart(3)}`;
}
