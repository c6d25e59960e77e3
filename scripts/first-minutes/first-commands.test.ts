import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { shownOn } from '../../test/support/docs/shown-commands.ts';
import { firstCommands } from './first-commands.ts';

const README = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');

test('the first screen shows commands, of which none asks for a gateway that is not there', () => {
  const commands = firstCommands(README, { target: 'http://127.0.0.1:1', keyFile: '/own/key' });
  expect(commands[0]).toEqual({ shown: 'npm start', run: 'npm start' });
  expect(commands.length).toBeGreaterThan(2);
  for (const { run } of commands) expect(run).not.toMatch(/example|key\.txt|#/);
  expect(commands.filter(({ run }) => run.includes('http://127.0.0.1:1')).length).toBeGreaterThan(1);
});

test('they are all that the first screen shows in blocks, in their order', () => {
  const [screen = ''] = README.split(/^## /m);
  const shown = shownOn('README.md', screen).commands.flatMap(({ command, block }) =>
    block ? [command] : [],
  );
  expect(firstCommands(README, { target: '', keyFile: '' }).map((one) => one.shown)).toEqual(shown);
});

test('outputs, other code and later chapters are no commands', () => {
  const readme =
    '# T\n\n    npm start      # set-up\n\n    chat   150\n    report  x\n\n## Later\n\n    npm test\n';
  expect(firstCommands(readme, { target: '', keyFile: '' })).toEqual([
    { shown: 'npm start', run: 'npm start' },
  ]);
});
