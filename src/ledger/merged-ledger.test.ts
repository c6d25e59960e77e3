import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LedgerHeader } from '../contracts/ledger-lines.ts';
import { LEDGER_SCHEMA } from '../contracts/schema-names.ts';
import { stateOf } from '../workload/plan.test-support.ts';
import { loadLedger } from './load-ledger.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'ledgers-'));
});
afterEach(() => rm(dir, { recursive: true }));

function header(changes: Partial<LedgerHeader> = {}): LedgerHeader {
  return {
    schema: LEDGER_SCHEMA,
    run_id: 'run',
    instance: 'i0',
    file: 0,
    segment: null,
    seed: 1,
    clock: { wall: '2026-11-20T12:00:00.000Z', mono_ms: 5 },
    plan_hash: 'h',
    key_fp: null,
    cores: 2,
    versions: { weighbridge: '0', k6: '2.2.0', go: '1.26' },
    ...changes,
  };
}

async function write(name: string, ...values: readonly object[]): Promise<string> {
  const path = join(dir, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  return path;
}

describe('a ledger of many files', () => {
  test('is merged from instances, segments and folders', async () => {
    await write('one/calls/i0-0.ndjson', header({ segment: '0:1/3' }), stateOf({ elapsed_ms: 1 }));
    await write('one/calls/i0-1.ndjson', header({ segment: '0:1/3', file: 1 }), stateOf({ elapsed_ms: 2 }));
    await write(
      'two/i1-0.ndjson',
      header({ instance: 'i1', segment: '1/3:2/3' }),
      stateOf({ elapsed_ms: 3 }),
    );
    await write('two/i2-0.ndjson', header({ instance: 'i2', segment: '2/3:1' }), stateOf({ elapsed_ms: 4 }));
    await write('two/trial-0.ndjson', header({ instance: 'trial', run_id: 'run-trial' }));
    const ledger = await loadLedger([join(dir, 'one'), join(dir, 'two')]);
    expect(ledger.problems).toEqual([]);
    expect(ledger.headers).toHaveLength(5);
    expect(ledger.states.map(({ elapsed_ms }) => elapsed_ms)).toEqual([1, 2, 3, 4]);
  });

  test('is merged from the folders in calls/, and from no deeper ones', async () => {
    await write('run/calls/i0-0.ndjson', header({ segment: '0:1/3' }));
    await write('run/calls/y/i2-0.ndjson', header({ instance: 'i2', segment: '2/3:1' }));
    await write('run/calls/x/i1-0.ndjson', header({ instance: 'i1', segment: '1/3:2/3' }));
    await write('run/calls/x/old/i9-0.ndjson', header({ instance: 'i9', run_id: 'another' }));
    for (const path of [join(dir, 'run'), join(dir, 'run/calls')]) {
      const { headers, problems } = await loadLedger(path);
      expect(headers.map(({ instance }) => instance)).toEqual(['i0', 'i1', 'i2']);
      expect(problems).toEqual([]);
    }
  });

  test('takes a file that stands there twice once, and a path given twice too', async () => {
    await write('one/i0-0.ndjson', header(), stateOf());
    await write('two/copy.ndjson', header(), stateOf());
    const ledger = await loadLedger([join(dir, 'one'), join(dir, 'two'), join(dir, 'one')]);
    expect(ledger).toMatchObject({ headers: [header()], problems: [] });
    expect(ledger.states).toHaveLength(1);
  });

  test('tells a file of the same name and number with other contents', async () => {
    await write('one/i0-0.ndjson', header(), stateOf());
    const file = await write('two/i0-0.ndjson', header());
    expect((await loadLedger([join(dir, 'one'), join(dir, 'two')])).problems).toEqual([
      {
        file,
        gap: true,
        line: 1,
        what: 'a second, different file 0 of instance i0: was it copied while it was written?',
      },
    ]);
  });

  test('tells numbers that an instance skips', async () => {
    const second = await write('i0-2.ndjson', header({ file: 2 }));
    const last = await write('i0-9.ndjson', header({ file: 9 }));
    expect((await loadLedger(dir)).problems).toEqual([
      { file: second, line: 1, gap: true, what: 'file 2 of instance i0 is here, but not 0, 1' },
      { file: last, line: 1, gap: true, what: 'file 9 of instance i0 is here, but not 3, 4, 5, 6, 7, …' },
    ]);
  });

  test.each([
    ['segments', { segment: '0:1/2' }, { segment: '1/2:1' }, ' (segment 0:1/2)', ' (segment 1/2:1)'],
    ['processes', {}, { clock: { wall: '2026-11-20T12:00:00.000Z', mono_ms: 6 } }, '', ''],
  ])('refuses two %s under one instance name, before any call is judged', async (_, first, second, ...of) => {
    const one = await write('calls/one-0.ndjson', header({ instance: 'one', ...first }));
    const other = await write('calls/one-1.ndjson', header({ instance: 'one', file: 1, ...second }));
    await expect(loadLedger(dir)).rejects.toMatchObject({
      code: 'instances_alike',
      exitCode: 2,
      message: `Two k6 used the instance name one: ${one}${of[0]} and ${other}${of[1]}. Their calls cannot be told apart, so nothing was judged.`,
    });
  });

  test('of another program may be of many processes under one name', async () => {
    await write('r1-0.ndjson', header({ instance: 'r1', plan_hash: null }));
    const clock = { wall: '2026-11-21T12:00:00.000Z', mono_ms: 5 };
    await write('r1-1.ndjson', header({ instance: 'r1', plan_hash: null, file: 1, clock }));
    expect((await loadLedger(dir)).problems).toEqual([]);
  });

  test.each([
    [['0:1/2'], ['no file covers the part 1/2:1 of the run']],
    [
      ['1/4:1/2', '3/4:1'],
      ['no file covers the part 0:1/4 of the run', 'no file covers the part 1/2:3/4 of the run'],
    ],
    [['0:1/2', '1/4:1'], ['the part 1/4:1/2 of the run is covered twice']],
    [['0:1/3', '1/3:2/3', '4/6:1'], []],
    [['not a segment'], []],
  ])('segments %j: %j', async (segments, what) => {
    for (const [i, segment] of segments.entries()) {
      await write(`i${i}-0.ndjson`, header({ instance: `i${i}`, segment }));
    }
    expect((await loadLedger(dir)).problems.map((problem) => problem.what)).toEqual(what);
  });

  test('of different runs is refused', async () => {
    const one = await write('i0-0.ndjson', header());
    const other = await write('i1-0.ndjson', header({ instance: 'i1', run_id: 'running' }));
    await expect(loadLedger(dir)).rejects.toMatchObject({
      code: 'ledger_mixed',
      exitCode: 2,
      message: `The files come from two runs: ${one} from run, and ${other} from running.`,
    });
  });
});
