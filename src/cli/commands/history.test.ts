import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { storeClosing } from '../../app/folder/suspense-file.ts';
import { type KeptRunFacts, writeKeptRun } from '../../app/history/kept-run.test-support.ts';
import { UNWATCHED } from '../../app/notices/unwatched.test-support.ts';
import { reserveRun } from '../../app/spend/run-budget.ts';
import { targetFolderName } from '../../contracts/target-folder-name.ts';
import { FileLock } from '../../state/file-lock.ts';
import { runProgram } from '../program.ts';

const ROOT = 'http://gw.example';
let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'weighbridge-reports-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
});

/** By the name that the command had first, which scripts may still say. */
const byOldName = (...flags: readonly string[]) => asked('reports', flags);
const history = (...flags: readonly string[]) => asked('history', flags);

async function asked(name: string, flags: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const status = await runProgram(
    [name, ...flags, '--out', join(dir, 'reports'), '--state', join(dir, 'state')],
    {
      out: (line) => out.push(line),
      err: (line) => err.push(line),
      env: {},
      ...UNWATCHED,
      width: 100,
    },
  );
  return { status, out, err };
}

/** A run of so many minutes after the first. */
function run(minute: number, facts: Partial<KeptRunFacts> = {}): string {
  return writeKeptRun(join(dir, 'reports'), {
    began_ms: Date.UTC(2026, 0, 1, 0, minute),
    root: ROOT,
    ...facts,
  });
}

const BAD = { exits: [{ code: 5, why: '2 findings at or above the gate' }], charged: '0.02' };

test('lists when, target, exit status, money and verdict, the newest first', async () => {
  expect((await history()).out).toEqual(['no run is kept']);
  const died = run(0, { exits: null });
  const bad = run(1, BAD);
  mkdirSync(join(dir, 'reports/sample'));
  const { status, out } = await history();
  expect(status).toBe(0);
  expect(out).toEqual([
    'run                    began (UTC)       target  exit  charged  certainly over  verdict',
    `${bad}  2026-01-01 00:01  gw      5     $0.02    $0              2 findings at or above the gate`,
    `${died}  2026-01-01 00:00  gw      –     –        –               no verdict`,
  ]);
  expect(JSON.parse((await history('--json')).out.at(-1) ?? '').runs).toMatchObject([
    { run_id: bad, root: ROOT, exit_status: 5, exit_codes: [5], money: { charged: '0.02' } },
    { run_id: died, exit_status: null, exit_codes: null, money: null },
  ]);
});

test('the old name lists and prunes the same', async () => {
  run(0, BAD);
  expect(await byOldName('--json')).toEqual(await history('--json'));
  expect((await byOldName('prune', '--keep', '0', '--dry-run')).status).toBe(0);
});

const kept = () => readdirSync(join(dir, 'reports')).sort();

test('prune says what goes, frees it, and leaves what a claim, an open charge, a reservation or a reader needs', async () => {
  const home = join(dir, 'state', targetFolderName(ROOT));
  mkdirSync(home, { recursive: true });
  const [open, reserved, claimed, read, gone, good] = [
    run(0, BAD),
    run(1, BAD),
    run(2, BAD),
    run(3, BAD),
    run(4, BAD),
    run(5),
  ];
  await storeClosing(home, { run_id: open, keys: ['k'] }, [
    {
      schema: 'weighbridge.suspense/1',
      id: 'a',
      request_id: 'q',
      kind: 'chat',
      model: 'm',
      amount_lo: '0',
      amount_hi: '0.01',
      since: null,
      deadline_at: null,
      first_run: open,
      first_seen: null,
      last_run: open,
      state: 'open',
      cleared_by: null,
    },
  ]);
  const target = {
    name: 'gw',
    root: ROOT,
    v1: ROOT,
    api: ROOT,
    embedded: false,
    key: 'shared' as const,
    bill: 'served' as const,
  };
  const cap = { max_spend_usd: '1', by_scenario: {}, by_model: {}, bounds: [] };
  await reserveRun({ home, limits: null }, { run_id: reserved, cap, target });
  writeFileSync(join(home, 'claims.ndjson'), claimLine(claimed));
  const lock = FileLock.take(join(dir, 'reports', read, '.lock'));
  if (!('lock' in lock)) throw new Error('the lock of a folder of our own is taken');

  const dry = await history('prune', '--keep', '0', '--older-than', '30d', '--dry-run');
  expect(dry.status).toBe(0);
  expect(kept()).toHaveLength(6);
  expect(dry.out).toContain(`${gone} would be removed: 0.0 MB`);

  const { out, status } = await history('prune', '--keep', '0', '--older-than', '30d');
  const left = [open, reserved, claimed, read, good].sort();
  expect({ status, kept: kept() }).toEqual({ status: 0, kept: [...left, 'index.html'] });
  const index = readFileSync(join(dir, 'reports/index.html'), 'utf8');
  expect([gone, good].map((id) => index.includes(id))).toEqual([false, true]);
  expect(out.join('\n')).toMatch(new RegExp(`${open} is kept: it has charges that are still open`));
  expect(out.join('\n')).toMatch(new RegExp(`${reserved} is kept: its budget is not settled`));
  expect(out.join('\n')).toMatch(new RegExp(`${claimed} is kept: a claim rests on it`));
  expect(out.join('\n')).toMatch(new RegExp(`${read} is kept: .*holding it since`));
  expect(out.join('\n')).toMatch(new RegExp(`${good} is kept: it is the last good run of its plan`));
  expect(out.at(-1)).toBe('1 run, 0.0 MB freed; 5 runs left');
  lock.lock.release();
  const again = await history('prune', '--keep', '0', '--json');
  expect(JSON.parse(again.out.at(-1) ?? '')).toMatchObject({ dry_run: false, removed: [read] });
  expect(existsSync(join(dir, 'reports', read))).toBe(false);
});

/** As `report --bundle` writes it. */
function claimLine(run_id: string): string {
  const claim = {
    id: 'c',
    part: 'charge',
    class: 'duplicate_charge',
    finding: 'f',
    request_id: 'q',
    records: [],
    model: 'm',
    amount: '0.01',
    held: '0',
    standing: null,
  };
  const line = { at: '2026-01-01T00:00:00.000Z', claim: 'c', state: 'open', by: 'bundle', credited: null };
  const rest = { bundle: 'b', run_id, read_at: null, opened: claim };
  return `${JSON.stringify({ schema: 'weighbridge.claim/1', ...line, ...rest })}\n`;
}

test.each([
  [['prune'], 'Pruning needs --keep or --older-than.'],
  [['prune', '--keep', 'all'], 'expected a whole number, found all'],
  [['prune', '--older-than', '3 weeks'], 'expected a time such as 90d or 12h'],
])('%j is refused', async (flags, words) => {
  run(0, BAD);
  const { status, err } = await history(...flags);
  expect({ status, said: err.join('\n') }).toEqual({ status: 2, said: expect.stringContaining(words) });
  expect(kept()).toHaveLength(1);
});
