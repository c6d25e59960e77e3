import { describe, expect, test } from 'vitest';
import { UNWATCHED } from '../../app/notices/unwatched.test-support.ts';
import { buildProgram, runProgram } from '../program.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { COMMAND_EXAMPLES } from './command-examples.ts';

function terminal(): Terminal & { readonly said: string[] } {
  const said: string[] = [];
  const out = (line: string) => said.push(line);
  return {
    said,
    out,
    err: out,
    ...UNWATCHED,
    width: 100,
    env: {},
  };
}

const PROGRAM = buildProgram(terminal(), () => undefined);
const NAMES = PROGRAM.commands.map((command) => command.name());

test('every command has examples, and no other', () => {
  expect(Object.keys(COMMAND_EXAMPLES).sort()).toEqual(['weighbridge', ...NAMES].sort());
});

test.each(['weighbridge', ...NAMES])('--help of %s begins with its examples', async (name) => {
  const host = terminal();
  expect(await runProgram(name === 'weighbridge' ? ['--help'] : [name, '--help'], host)).toBe(0);
  const text = host.said.join('\n');
  expect(text).toMatch(/^Examples:\n/);
  const examples = text.slice(0, text.indexOf('\n\nUsage: '));
  expect(examples.match(/^Examples:/gm)).toHaveLength(1);
  for (const { line, does } of COMMAND_EXAMPLES[name] ?? []) {
    expect(examples).toContain(`  ${line}`);
    expect(examples).toContain(`  ${does}`);
  }
});

describe('every example is a command line that can be given', () => {
  const lines = Object.values(COMMAND_EXAMPLES).flatMap((examples) => examples.map(({ line }) => line));
  test.each([...new Set(lines)])('%s', async (line) => {
    const [program = '', ...args] = line.split(' ');
    expect(program).toBe('weighbridge');
    const host = terminal();
    const parser = buildProgram(host, () => undefined);
    const ran: string[] = [];
    for (const command of parser.commands) command.action(() => void ran.push(command.name()));
    await parser.parseAsync(args, { from: 'user' }).catch(() => undefined);
    expect({ ran, said: host.said }).toEqual({ ran: [args[0]], said: [] });
  });
});

test('a mistyped command, flag or word is answered with what can be given', async () => {
  for (const [args, offered] of [
    [['reconcil'], '(Did you mean reconcile?)'],
    [['audit', '--max-spend-us', '2'], '(Did you mean --max-spend-usd?)'],
    [['doctor', '--fx'], '(Did you mean --fix?)'],
    [['completion', 'bsh'], 'Allowed choices are bash, zsh, fish.'],
  ] as const) {
    const host = terminal();
    expect(await runProgram(args, host)).toBe(2);
    expect(host.said.join('\n')).toContain(offered);
  }
});
