import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { UNWATCHED } from '../../app/notices/unwatched.test-support.ts';
import { buildProgram, runProgram } from '../program.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { completionWords } from './shell-completion.ts';

function terminal(said: string[] = []): Terminal {
  const out = (line: string) => said.push(line);
  return {
    out,
    err: out,
    ...UNWATCHED,
    width: 100,
    env: {},
  };
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

  test('every flag of each command and of its parts', () => {
    expect(PLACES.map(({ path }) => path)).toContain('history prune');
    for (const { path, flags } of PLACES) expect(offered(...path.split(' '), '-')).toEqual(flags);
    expect(offered('history', '--out', 'other', 'prune', '--k')).toEqual(['--keep']);
    expect(offered('audit', '--max-s')).toEqual(['--max-spend-usd']);
    expect(offered('audit', '--max-r')).toEqual(['--max-regression']);
  });

  test('the words that a flag or an argument takes, and no others', () => {
    expect(offered('report', '--focus', '')).toEqual(['1.2']);
    expect(offered('report', '--format', 'rows.')).toEqual(['rows.ndjson', 'rows.csv', 'rows.parquet']);
    expect(offered('report', '--format', '=', 'j')).toEqual(['junit']);
    expect(offered('reconcile', '--ledger-format', 'o')).toEqual(['otel']);
    expect(offered('reconcile', '--month', '')).toEqual(['last']);
    expect(offered('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(offered('history', '')).toEqual(['prune']);
    expect(offered('claims', 'cr')).toEqual(['credited']);
    expect(offered('audit', '--duration', '')).toEqual([]);
  });

  test('the runs that stand under --out, by default under reports', () => {
    expect(offered('report', '--run', '')).toEqual(['20261121T180049Z-8084', '20261122T090000Z-1b2c']);
    expect(offered('reconcile', '--run', '20261122')).toEqual(['20261122T090000Z-1b2c']);
    expect(offered('report', '--out', 'other', '--run', '')).toEqual(['20260101T000000Z-ffff']);
    expect(offered('report', '--out', 'nowhere', '--run', '')).toEqual([]);
  });

  test('no folder whose name a shell would run', () => {
    onTestFinished(() => rmSync(join(dir, 'hostile'), { recursive: true }));
    const names = ['$(touch pwned)', '`touch pwned`', 'a;touch pwned', '20260101T000000Z-0000'];
    for (const name of names) {
      mkdirSync(join(dir, 'hostile', name), { recursive: true });
      writeFileSync(join(dir, 'hostile', name, 'plan.json'), '{}');
    }
    expect(offered('report', '--out', 'hostile', '--run', '')).toEqual(['20260101T000000Z-0000']);
    expect(existsSync(join(dir, 'pwned'))).toBe(false);
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

/** Where the line stands behind a command, or behind a part of one such as `history prune`. */
const PLACES = completionWords(buildProgram(terminal(), () => undefined)).map(({ name, within, flags }) => ({
  path: within === null ? name : `${within} ${name}`,
  flags: flags.flatMap(({ names }) => names),
}));

/** What a shell says where a tab is pressed behind each place and `-`, by place. */
function pressed(shell: string, args: readonly string[], program: string): ReadonlyMap<string, string[]> {
  const done = spawnSync(shell, [...args, '-c', program], { cwd: dir, encoding: 'utf8' });
  expect(done.stderr).toBe('');
  const places = done.stdout.split(/^== /m).slice(1);
  return new Map(
    places.map((text) => {
      const [path = '', ...lines] = text.trimEnd().split('\n');
      return [path, lines.flatMap((line) => /^-\S+/.exec(line)?.[0] ?? []).sort()];
    }),
  );
}

const EXPECTED = new Map(PLACES.map(({ path, flags }) => [path, flags.toSorted()]));

test('zsh offers every flag of each command and of its parts', async () => {
  const zsh = await script('zsh');
  // Its own words of the line, and the command that takes what is offered, live in the line editor only.
  const program = `${zsh}
compset() { return 1 }
compadd() { shift \${argv[(i)-]}; print -l -- "$@" }
for place in ${PLACES.map(({ path }) => `'${path}'`).join(' ')}; do
  print "== $place"
  words=(weighbridge \${=place} -); CURRENT=$#words
  _bash_complete -F _weighbridge
done`;
  expect(pressed('zsh', ['-f'], program)).toEqual(EXPECTED);
});

test('fish offers every flag of each command and of its parts', async () => {
  const fish = await script('fish');
  const program = `${fish}
for place in ${PLACES.map(({ path }) => `'${path}'`).join(' ')}
  echo "== $place"
  complete -C "weighbridge $place -"
end`;
  expect(pressed('fish', ['--no-config'], program)).toEqual(EXPECTED);
});

test('fish offers commands, parts of a command, words and runs', async () => {
  const fish = await script('fish');
  const offers = (line: string): readonly string[] => {
    const program = `${fish}\ncomplete -C '${line}'`;
    const done = spawnSync('fish', ['--no-config', '-c', program], { cwd: dir, encoding: 'utf8' });
    return done.stdout.split('\n').flatMap((said) => said.split('\t')[0] || []);
  };
  expect(offers('weighbridge rec')).toEqual(['reconcile']);
  expect(offers('weighbridge history p')).toEqual(['prune']);
  expect(offers('weighbridge report --focus ')).toEqual(['1.2']);
  expect(offers('weighbridge report --out other --run ')).toEqual(['20260101T000000Z-ffff']);
});
