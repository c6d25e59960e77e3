import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UNWATCHED } from '../src/app/notices/unwatched.test-support.ts';
import { buildProgram } from '../src/cli/program.ts';
import { DRAWN, NOT_RUN, RUN, STANDS_FOR, TEXTS } from './support/docs/command-register.ts';
import { PAGES, shownOn } from './support/docs/shown-commands.ts';
import { ROOT } from './support/run-weighbridge.ts';

const SHOWN = PAGES.flatMap((file) => shownOn(file).commands);
const LISTED = [...RUN, ...NOT_RUN].flatMap(({ commands }) => commands);

const terminal = {
  out: () => undefined,
  err: () => undefined,
  ...UNWATCHED,
  width: 100,
  env: {},
};
const NAMES = buildProgram(terminal, () => undefined).commands.map((command) => command.name());

/** `weighbridge audit` within a sentence names the command; in a block of its own it is a line to run. */
function isName(command: string): boolean {
  const [, name = ''] = /^(?:npx --no-install )?weighbridge ([a-z][a-z0-9]+)$/.exec(command) ?? [];
  return NAMES.includes(name) || STANDS_FOR.some((phrase) => phrase === command);
}

test('every command of every page is run by a test, or stands with the reason why none runs it', () => {
  const unlisted = SHOWN.filter(
    ({ command, block }) => !LISTED.includes(command) && (block || !isName(command)),
  );
  expect(unlisted).toEqual([]);
});

test('the list has each command once, and none that no page shows any more', () => {
  const shown = new Set(SHOWN.map(({ command }) => command));
  expect(LISTED.filter((command) => !shown.has(command))).toEqual([]);
  expect(LISTED.filter((command, index) => LISTED.indexOf(command) !== index)).toEqual([]);
});

test('every test that the list names is there', () => {
  const gone = [...RUN, ...NOT_RUN, ...TEXTS].filter(
    ({ test: file, title }) =>
      !existsSync(join(ROOT, file)) || !readFileSync(join(ROOT, file), 'utf8').includes(title),
  );
  expect(gone).toEqual([]);
});

test('a test that is said to run a command with flags reads the page that shows it, or gives these flags', () => {
  const elsewhere = RUN.flatMap(({ test: file, commands }) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    return commands.filter((command) => {
      const blocks = SHOWN.filter((one) => one.block && one.command === command);
      const flags = [...command.matchAll(/ (--[a-z-]+)/g)].map(([, flag = '']) => flag);
      const here = blocks.some(({ file: page }) => source.includes(page));
      return blocks.length > 0 && flags.length > 0 && !here && !flags.every((flag) => source.includes(flag));
    });
  });
  expect(elsewhere).toEqual([]);
});

test('every other block of a page, an output or a file, is made or read by a test', () => {
  const shown = PAGES.map((page) => ({
    page,
    blocks: shownOn(page).texts.filter(({ first }) => !DRAWN.includes(first)).length,
  })).filter(({ blocks }) => blocks > 0);
  const listed = [...new Set(TEXTS.map(({ page }) => page))].map((page) => ({
    page,
    blocks: TEXTS.reduce((sum, one) => sum + (one.page === page ? one.blocks : 0), 0),
  }));
  const byPage = (left: { readonly page: string }, right: { readonly page: string }) =>
    left.page < right.page ? -1 : 1;
  expect(shown.toSorted(byPage)).toEqual(listed.toSorted(byPage));
});

test('what a page shows is found in every form: fences, lines set in, sentences, lines that go on, sessions, remarks', () => {
  const page = [
    'As `npm test` does, or `k6 run x.ts`; `source` is a column.',
    '',
    '    KEY=a weighbridge claims  # in words',
    '    FOUND 3',
    '',
    '1. A list:',
    '',
    '   ```sh',
    '   curl -N \\',
    '     http://x',
    '   any-program --of --its --own',
    '   ```',
    '',
    '```text',
    '$ weighbridge history',
    'nothing',
    '```',
    '',
    '    an output',
    '',
  ].join('\n');
  const { commands, texts } = shownOn('page.md', page);
  expect(commands.map(({ command, block }) => `${block ? 'block' : 'words'}: ${command}`)).toEqual([
    'words: npm test',
    'words: k6 run x.ts',
    'block: KEY=a weighbridge claims',
    'block: curl -N http://x',
    'block: any-program --of --its --own',
    'block: weighbridge history',
  ]);
  expect(texts).toEqual([{ file: 'page.md', first: 'an output' }]);
  expect(
    shownOn('unit', '# kubectl apply -f x.yaml, after these:\n# One a day.\nkubectl\n').commands,
  ).toEqual([{ file: 'unit', command: 'kubectl apply -f x.yaml', block: true }]);
});
