import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildProgram, runProgram } from '../program.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { completionWords } from './completion-words.ts';

function terminal(said: string[] = []): Terminal {
  const out = (line: string) => said.push(line);
  return { out, err: out, redraw: () => undefined, live: false, width: 100, env: {} };
}

async function script(shell: string): Promise<string> {
  const said: string[] = [];
  expect(await runProgram(['completion', shell], terminal(said))).toBe(0);
  return said.join('\n');
}

let dir = '';
let bash = '';

beforeAll(async () => {
  bash = await script('bash');
  dir = mkdtempSync(join(tmpdir(), 'wb-completion-'));
  for (const run of ['20261121T180049Z-8084', '20261122T090000Z-1b2c']) {
    mkdirSync(join(dir, 'reports', run), { recursive: true });
    writeFileSync(join(dir, 'reports', run, 'plan.json'), '{}');
  }
  mkdirSync(join(dir, 'reports/no-run'));
  mkdirSync(join(dir, 'other/20260101T000000Z-ffff'), { recursive: true });
  writeFileSync(join(dir, 'other/20260101T000000Z-ffff/result.json'), '{}');
  writeFileSync(join(dir, 'faults.yaml'), '');
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** What a real bash offers where a tab is pressed behind the last word. */
function offered(...words: readonly string[]): readonly string[] {
  const line = ['weighbridge', ...words].map((word) => `'${word}'`).join(' ');
  const press = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _weighbridge; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const done = spawnSync('bash', ['--norc', '-u', '-c', `${bash}\n${press}`], { cwd: dir, encoding: 'utf8' });
  expect(done.stderr).toBe('');
  return done.stdout.split('\n').filter((word) => word !== '');
}

describe('bash offers', () => {
  test('every command', () => {
    const program = buildProgram(terminal(), () => undefined);
    const names = program.commands.map((command) => command.name());
    expect(offered('')).toEqual([...names, 'help', '--help', '--version']);
    expect(offered('rec')).toEqual(['reconcile']);
    expect(offered('help', 'pl')).toEqual(['plan']);
  });

  test('every flag of each command', () => {
    for (const { name, flags } of completionWords(buildProgram(terminal(), () => undefined)))
      expect(offered(name, '-')).toEqual(flags.flatMap(({ names }) => names));
    expect(offered('audit', '--max')).toEqual(['--max-spend-usd', '--max-regression']);
  });

  test('the words that a flag or an argument takes, and no others', () => {
    expect(offered('report', '--focus', '')).toEqual(['1.0', '1.2']);
    expect(offered('report', '--format', 'rows.')).toEqual(['rows.ndjson', 'rows.csv', 'rows.parquet']);
    expect(offered('report', '--format', '=', 'j')).toEqual(['junit']);
    expect(offered('reconcile', '--ledger-format', 'o')).toEqual(['otel']);
    expect(offered('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(offered('audit', '--duration', '')).toEqual([]);
  });

  test('the runs that stand under --out, by default under reports', () => {
    expect(offered('report', '--run', '')).toEqual(['20261121T180049Z-8084', '20261122T090000Z-1b2c']);
    expect(offered('reconcile', '--run', '20261122')).toEqual(['20261122T090000Z-1b2c']);
    expect(offered('report', '--out', 'other', '--run', '')).toEqual(['20260101T000000Z-ffff']);
    expect(offered('report', '--out', 'nowhere', '--run', '')).toEqual([]);
  });

  test('files and folders where they are asked for', () => {
    expect(offered('audit', '--faults', '').toSorted()).toEqual(['faults.yaml', 'other', 'reports']);
    expect(offered('audit', '--out', '').toSorted()).toEqual(['other', 'reports']);
  });
});

test('bash, once told, completes the command itself', () => {
  const done = spawnSync('bash', ['--norc', '-c', `${bash}\ncomplete -p weighbridge`], { encoding: 'utf8' });
  expect(done.stdout).toBe('complete -F _weighbridge weighbridge\n');
});

test('zsh gets the script of bash behind what loads it', async () => {
  const zsh = await script('zsh');
  expect(zsh).toContain('bashcompinit');
  expect(zsh.endsWith(bash)).toBe(true);
});

test('fish gets a line for each command and flag', async () => {
  const fish = await script('fish');
  for (const { name, flags } of completionWords(buildProgram(terminal(), () => undefined))) {
    expect(fish).toContain(`-n __fish_use_subcommand -a ${name} -d '`);
    for (const { names } of flags)
      expect(fish).toContain(`'__fish_seen_subcommand_from ${name}' -l ${names[0]?.slice(2)}`);
  }
  expect(fish).toContain("-l focus -x -a '1.0 1.2'");
  expect(fish).toContain("-l run -x -a '(__weighbridge_runs)'");
});
