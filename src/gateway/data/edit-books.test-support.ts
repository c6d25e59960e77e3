import { readFileSync, writeFileSync } from 'node:fs';
import { BooksChain } from './books-chain.ts';

/** Changes the lines of a books file, the header first, and links them anew: what is wrong then is their sense alone. */
export function editBooks(path: string, edit: (lines: readonly string[]) => readonly string[]): void {
  const old = new BooksChain();
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const edited = edit(lines.map((line) => old.opened(line)));
  const chain = new BooksChain();
  writeFileSync(path, edited.map((line) => `${chain.sealed(line)}\n`).join(''));
}
