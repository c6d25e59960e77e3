import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { shownOn } from '../../test/support/docs/shown-commands.ts';
import { firstCommands } from './first-commands.ts';

const README = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');

test('the first chapters show commands, of which none asks for a gateway that is not there', () => {
  const commands = firstCommands(README, 'http://127.0.0.1:1');
  expect(commands[0]).toEqual({ shown: 'npm run demo', run: 'npm run demo' });
  expect(commands.length).toBeGreaterThan(2);
  for (const { run } of commands) expect(run).not.toMatch(/example|#/);
  expect(commands.filter(({ run }) => run.includes('http://127.0.0.1:1')).length).toBeGreaterThan(1);
});

test('they are all that these chapters show in blocks, in their order, but for the key', () => {
  const screen = README.split(/^## What the verdict/m)[0] ?? '';
  const shown = shownOn('README.md', screen).commands.flatMap(({ command, block }) =>
    block && !command.startsWith('export ') ? [command] : [],
  );
  expect(firstCommands(README, '').map((one) => one.shown)).toEqual(shown);
});

test('outputs, other code and later chapters are no commands', () => {
  const readme =
    '# T\n\n## A\n\n    npm start      # set-up\n\n    chat   150\n    report  x\n\n## B\n\n## Later\n\n    npm test\n';
  expect(firstCommands(readme, '')).toEqual([{ shown: 'npm start', run: 'npm start' }]);
});
