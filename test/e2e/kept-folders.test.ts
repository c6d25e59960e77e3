import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openingOf, readOpening } from '../../src/app/folder/suspense-file.ts';
import { BUDGET_SCHEMA, budgetLine } from '../../src/state/budget/budget-line.ts';
import { readJournal } from '../../src/state/read-journal.ts';
import { readScheduledRun } from '../../src/state/scheduled-run-file.ts';
import { KEPT_RUNS, sayKept } from '../support/kept-folders.ts';
import { ROOT } from '../support/run-weighbridge.ts';

const KEPT = join(ROOT, 'test/kept-folders');
const golden = readdirSync(join(KEPT, 'golden')).map((file) => file.replace(/\.txt$/, ''));

/** Files of a folder, with their bytes. */
function bytesOf(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return new Map(
    files
      .filter((file) => statSync(join(folder, file)).isFile())
      .map((file) => [file, readFileSync(join(folder, file)).toString('latin1')]),
  );
}

describe('folders that an earlier version made', () => {
  const place = mkdtempSync(join(realpathSync(tmpdir()), 'weighbridge-kept-'));
  let said: ReadonlyMap<string, string> = new Map();
  beforeAll(() => {
    said = sayKept(place, ROOT);
  });
  afterAll(() => rmSync(place, { recursive: true }));

  test('every command has its golden answer', () => {
    expect([...said.keys()].sort()).toEqual(golden.sort());
  });

  test.each(golden)('%s: the same bytes as then', (name) => {
    expect(said.get(name)).toBe(readFileSync(join(KEPT, 'golden', `${name}.txt`), 'utf8'));
  });

  test.each(KEPT_RUNS)('%s: rendered again, each file has its bytes', (run) => {
    const [before, after] = [bytesOf(join(KEPT, 'reports', run)), bytesOf(join(place, 'reports', run))];
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const [file, bytes] of before) expect(after.get(file) === bytes, file).toBe(true);
  });

  test('what outlives a run is carried on: a charge still open, what was spent, the schedule', () => {
    const home = join(KEPT, 'state', '127.0.0.1_19191');
    const [open] = readOpening(join(KEPT, 'reports', KEPT_RUNS[1] ?? '')) ?? [];
    expect(open).toMatchObject({ state: 'open', amount_hi: '0.00001103' });
    // The run that began with it cleared it.
    expect(openingOf(home, ['90efc6f767b9596a'])).toEqual([]);
    let spent = 0n;
    readJournal('budget.ndjson', readFileSync(join(home, 'budget.ndjson')), BUDGET_SCHEMA, (line) => {
      const read = budgetLine.parse(line);
      if (read.kind === 'settled') spent += read.cost_pusd;
    });
    expect(spent).toBe(110_230_836_000n);
    expect(readScheduledRun(home)).toMatchObject({
      run_id: KEPT_RUNS[1],
      every_ms: 86_400_000,
      exit_status: 7,
    });
  });
});
