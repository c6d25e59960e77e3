import { expect, test } from 'vitest';
import { UNWATCHED } from '../app/notices/unwatched.test-support.ts';
import { runProgram } from './program.ts';
import type { Terminal } from './terminal/terminal.ts';

function terminal(): Terminal & { readonly stdout: string[]; readonly stderr: string[] } {
  const stdout: string[] = [];
  const stderr: string[] = [];
  return {
    stdout,
    stderr,
    out: (line) => stdout.push(line),
    err: (line) => stderr.push(line),
    ...UNWATCHED,
    width: 100,
    env: {},
  };
}

test('--version prints the version of the package', async () => {
  const host = terminal();
  expect(await runProgram(['--version'], host)).toBe(0);
  expect(host.stdout.join()).toMatch(/^\d+\.\d+\.\d+/);
});

test('--help starts with what it is, lists the commands and no command that does not exist', async () => {
  const host = terminal();
  expect(await runProgram(['--help'], host)).toBe(0);
  const text = host.stdout.join('\n');
  for (const command of [
    'audit',
    'run',
    'plan',
    'reconcile',
    'report',
    'explain',
    'claims',
    'pull',
    'probe',
    'gateway',
  ])
    expect(text).toContain(`  ${command} `);
  expect(text).not.toMatch(/^ {2}check /m);
  expect(text).toContain('Examples:');
});

test('an unknown command is refused with the nearest one, exit 2', async () => {
  const host = terminal();
  expect(await runProgram(['auditt'], host)).toBe(2);
  expect(host.stderr.join('\n')).toContain('Did you mean audit?');
});

test('an unknown flag is refused, exit 2', async () => {
  const host = terminal();
  expect(await runProgram(['audit', '--api-key', 'x'], host)).toBe(2);
  expect(host.stderr.join('\n')).toContain("unknown option '--api-key'");
});

test('a fault plan that does not exist is refused before anything serves, exit 2', async () => {
  const host = terminal();
  expect(await runProgram(['gateway', '--faults', '/nowhere/plan.yaml'], host)).toBe(2);
  expect(host.stderr.join('\n')).toContain('file_unreadable');
});

test('a configuration that breaks a rule is refused with file, line and column, exit 2', async () => {
  const host = terminal();
  const file = new URL('../../test/corpus/config/', import.meta.url).pathname;
  expect(await runProgram(['plan', '--config', `${file}does-not-exist.yaml`], host)).toBe(2);
  expect(host.stderr.join('\n')).toContain('config_missing');
});
