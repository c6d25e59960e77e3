import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { UsageRecord } from '../../contracts/interface.ts';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { ReadLeaf, ReadLine } from '../../contracts/usage-lines.ts';
import { formatInstant } from '../../core/time.ts';
import {
  brief,
  cutRow,
  errorRow,
  IMAGE_RECORD,
  imageRow,
  inputOf,
  intentOf,
  judge,
  only,
  recordOf,
  START_MS,
  START_S,
  TOLD_TIMES,
  textRow,
  videoRow,
} from '../reconcile.test-support.ts';
import { reconcile } from '../reconcile.ts';
import { VIDEO_MODEL } from '../rows.test-support.ts';

const NO_ID = { request_id: null, request_ids: [] };

/** A right pair of call and record, the call `second` seconds after the start; the answer told no id. */
function pairAt(
  name: string,
  second: number,
  [input, output]: readonly [number, number],
  changes: Partial<CallRow> = {},
): { readonly row: CallRow; readonly record: UsageRecord } {
  // $2 and $8 a million tokens.
  const amount = ((input * 2 + output * 8) / 1_000_000).toFixed(6);
  return {
    row: textRow(name, {
      ...NO_ID,
      started_at: formatInstant(START_MS + second * 1000),
      usage: { input, output, cache_read: 0, cache_write: 0, reasoning: null, raw: {} },
      ...changes,
    }),
    record: recordOf(name, {
      created_at: START_S + second,
      input_tokens: input,
      output_tokens: output,
      amount,
      reserved_amount: amount,
      refunded_amount: '0',
    }),
  };
}

test('a credit that names the task of a call is one sum with the charge that names its request', () => {
  const job = { id: 'task_9', polls: 3, statuses: ['queued', 'failed'], queue_ms: null, run_ms: null };
  const row = videoRow('v', { outcome: 'task_failed', job });
  const charge = recordOf('v', {
    ...{ model: VIDEO_MODEL, amount: '0.4', reserved_amount: '0.4', refunded_amount: '0' },
    ...{ input_tokens: 0, output_tokens: 0 },
  });
  const credit = {
    ...charge,
    ...{ id: 'refund-task_9', request_id: 'task_9', amount: '-0.4', reserved_amount: '0', result: 'failed' },
  };
  const judged = (records: readonly UsageRecord[]) =>
    judge({ rows: [row], sweeps: [{ records, at_ms: START_MS + 86_400_000 * 2 }] });
  const both = judged([charge, credit]);
  expect(both.findings).toEqual([]);
  expect(both.money.charged).toBe('0');
  // Only a credit joins by its task: a charge under that id is no second one of this call.
  const more = { ...credit, amount: '0.4', result: 'completed' };
  const done = judge({
    rows: [{ ...row, outcome: 'ok' }],
    sweeps: [{ records: [charge, more], at_ms: START_MS + 86_400_000 * 2 }],
  });
  expect(done.findings.map((each) => each.class)).not.toContain('duplicate_charge');
  expect(judged([charge]).findings).not.toEqual([]);
});

test("a credit of a call that stands nowhere here is told with its sum, and is nobody's phantom", () => {
  const credit = recordOf('z', {
    ...{ request_id: 'task_7', amount: '-0.4', reserved_amount: '0', refunded_amount: '0' },
    ...{ result: 'failed', input_tokens: 0, output_tokens: 0 },
  });
  const { findings, money, calls } = judge({
    rows: [textRow('a')],
    key: 'exclusive',
    sweeps: [{ records: [recordOf('a'), credit], at_ms: START_MS + 86_400_000 * 2 }],
  });
  expect(findings).toEqual([]);
  expect(money).toMatchObject({ charged: '-0.3972', expected: '0.0028', certain_under: '0', open: '-0.4' });
  expect(calls.at(-1)).toMatchObject({ verdict: 'not_checkable', charged: '-0.4' });
});

describe('calls that were told no id', () => {
  test('are paired by their tokens, and twins judged each against what all of them owe', () => {
    const pairs = [
      pairAt('a', 0, [500, 10]),
      pairAt('b', 1, [700, 20]),
      pairAt('c', 2, [700, 20]),
      pairAt('d', 3, [700, 20]),
    ];
    const records = pairs.map(({ record }) => record);
    const right = judge({ rows: pairs.map(({ row }) => row), sweeps: [{ records: records.toReversed() }] });
    expect(brief(right)).toEqual([]);
    expect(right.coverage.to_the_digit).toBe(1);
    expect(right.calls.map(({ match, score }) => [match, score])).toEqual([
      ['fingerprint', 1],
      ['fingerprint', 1 / 2],
      ['fingerprint', 1 / 2],
      ['fingerprint', 1],
    ]);
    const dear = records.map((record) =>
      record.id === 'rec-c' ? { ...record, amount: '0.002', reserved_amount: '0.002' } : record,
    );
    const wrong = only(judge({ rows: pairs.map(({ row }) => row), sweeps: [{ records: dear }] }));
    expect([wrong.delta_exact, wrong.confidence, wrong.evidence.includes('record:rec-c')]).toEqual([
      '0.00044',
      'strong',
      true,
    ]);
  });

  test('of images are paired by what they owe', () => {
    const rows = ['a', 'b'].map((name) => imageRow(name, NO_ID));
    const records = ['x', 'y'].map((name) => recordOf(name, IMAGE_RECORD));
    const result = judge({ rows, sweeps: [{ records }] });
    expect(brief(result)).toEqual([]);
    expect(result.calls.map(({ match }) => match)).toEqual(['fingerprint', 'fingerprint']);
  });

  test('are not paired with a record of another time or model', () => {
    const { row, record } = pairAt('a', 0, [500, 10]);
    for (const other of [
      { ...record, created_at: START_S + 4_000 },
      { ...record, created_at: START_S - 60 },
      { ...record, model: 'text-2' },
    ]) {
      const { calls } = judge({ rows: [row], sweeps: [{ records: [other] }] });
      expect(calls.flatMap(({ call_id, record_ids }) => (call_id === null ? [] : record_ids))).toEqual([]);
    }
  });

  test('cut short, are found by the watermark of their prompt', () => {
    const marked = Array.from({ length: 12 }, (_, n) =>
      pairAt(`m${n}`, n, [400 + 7 * n, 30], {
        watermark: 7 * n,
        request_id: `req-m${n}`,
        request_ids: [`req-m${n}`],
      }),
    );
    const cut = [4, 9].map((n) => ({
      row: cutRow(`cut${n}`, {
        ...NO_ID,
        started_at: formatInstant(START_MS + n * 1000),
        watermark: 100 + n,
      }),
      record: pairAt(`cut${n}`, n, [500 + n, 12]).record,
    }));
    const all = [...marked, ...cut];
    const result = judge({
      rows: all.map(({ row }) => row),
      sweeps: [{ records: all.map(({ record }) => record) }],
    });
    expect(brief(result)).toEqual([]);
    const found = result.calls.filter(({ match }) => match === 'watermark');
    expect(found.map(({ call_id, record_ids }) => [call_id, record_ids])).toEqual([
      ['call-cut4', ['rec-cut4']],
      ['call-cut9', ['rec-cut9']],
    ]);
  });

  test('with an id of their own that no record has, they take no other record', () => {
    const lost = pairAt('a', 0, [500, 10], { request_id: 'told', request_ids: ['told'] });
    const result = judge({
      rows: [lost.row],
      sweeps: [{ records: [lost.record], at_ms: START_MS + 3_600_000 }],
      terms: TOLD_TIMES,
    });
    expect(brief(result)).toEqual([
      'phantom_record record_without_call 0.00108',
      'unrecorded_request no_record -0.00108',
    ]);
  });

  test('a record that is left over names the call that it looks like', () => {
    const known = pairAt('a', 0, [500, 10], { request_id: 'req-a', request_ids: ['req-a'] });
    const again = { ...known.record, id: 'rec-again', request_id: 'req-other' };
    const found = only(judge({ rows: [known.row], sweeps: [{ records: [known.record, again] }] }));
    expect(found.class).toBe('phantom_record');
    expect(found.evidence).toContain('like:call-a');
  });

  test('where one id was told to many, it is no evidence', () => {
    const pairs = [pairAt('a', 0, [500, 10]), pairAt('b', 1, [600, 10])];
    const rows = pairs.map(({ row }) => ({ ...row, request_id: 'same', request_ids: ['same'] }));
    const result = judge({ rows, sweeps: [{ records: pairs.map(({ record }) => record) }] });
    expect(brief(result)).toEqual([]);
    expect(result.matching).toEqual([{ pass: 'fingerprint', pairs: 2, charged: '0.00236' }]);
  });
});

describe('in any world without ids', () => {
  const kinds = fc.constantFrom('ok', 'ok', 'ok', 'cut', 'killed', 'refused', 'image');
  const world = fc.array(fc.tuple(kinds, fc.nat(30), fc.nat(3), fc.nat(3)), { minLength: 1, maxLength: 25 });

  function inputs(calls: readonly (readonly [string, number, number, number])[]) {
    const rows: CallRow[] = [];
    const intents = [];
    const records: UsageRecord[] = [];
    for (const [index, [kind, second, more, out]] of calls.entries()) {
      const name = `${index}`;
      const { row, record } = pairAt(name, second, [400 + 100 * more, 10 + out]);
      const at = { started_at: row.started_at };
      if (kind === 'image') {
        rows.push(imageRow(name, { ...NO_ID, ...at }));
        records.push(recordOf(name, { ...IMAGE_RECORD, created_at: START_S + second }));
        continue;
      }
      if (kind === 'refused') {
        rows.push(errorRow(name, 400, at));
        continue;
      }
      if (kind === 'killed') intents.push(intentOf(name, { at: row.started_at }));
      else rows.push(kind === 'cut' ? cutRow(name, { ...NO_ID, ...at }) : row);
      records.push(record);
    }
    return { rows, intents, records };
  }

  test('an honest bill has no finding, and the order of nothing matters', () => {
    fc.assert(
      fc.property(world, fc.nat(), (calls, seed) => {
        const { rows, intents, records } = inputs(calls);
        const sweeps = [{ records, at_ms: START_MS + 3_600_000 }];
        const result = judge({ rows, intents, sweeps });
        expect(brief(result)).toEqual([]);
        const turned = <T>(list: readonly T[]): T[] => {
          const at = list.length === 0 ? 0 : seed % list.length;
          return [...list.slice(at), ...list.slice(0, at)].reverse();
        };
        const input = inputOf({ rows: turned(rows), intents: turned(intents), sweeps });
        expect(reconcile({ ...input, records: turned(input.records) })).toEqual(result);
      }),
      { seed: 20261121, numRuns: 250 },
    );
  });

  test('an honest bill of which a stretch of time was not read whole has no finding', () => {
    fc.assert(
      fc.property(world, fc.nat(30), fc.nat(4), fc.nat(), (calls, from, length, drop) => {
        const { rows, intents, records } = inputs(calls);
        const [start, end] = [START_S + from, START_S + from + 1 + length];
        const read = records.filter(
          ({ created_at }, index) =>
            created_at < start || created_at >= end || ((drop >> (index % 25)) & 1) === 0,
        );
        const input = inputOf({ rows, intents, sweeps: [{ records: read, at_ms: START_MS + 3_600_000 }] });
        const whole = { totals: '1', records: '1' };
        const leaves = [
          leafOf({ start: START_S - 60, end: start, ...whole }),
          leafOf({ start, end, totals: '2', records: '1' }),
          leafOf({ start: end, end: START_S + 3000, ...whole }),
        ];
        const reads = input.reads.map(
          (line): ReadLine => (line.read === 'sweep_end' ? { ...line, judged_passes: [1], leaves } : line),
        );
        const { findings } = reconcile({ ...input, reads });
        expect(
          findings
            .filter(({ provisional }) => !provisional)
            .map((found) => [found.class, found.rule, found.call_id]),
        ).toEqual([]);
      }),
      {
        seed: 20261121,
        numRuns: 250,
        // Two records of cut calls, which cost less than what an answered call would: its own was not read.
        examples: [
          [
            [
              ['killed', 7, 0, 0],
              ['killed', 7, 0, 0],
              ['ok', 0, 0, 1],
              ['ok', 0, 0, 0],
            ],
            0,
            0,
            1784440332,
          ],
        ],
      },
    );
  });

  test('a wrong amount among succeeded calls is found to the digit', () => {
    fc.assert(
      fc.property(world, fc.nat(), (calls, pick) => {
        const { rows, intents, records } = inputs(calls.map(([, ...rest]) => ['ok', ...rest] as const));
        const at = pick % records.length;
        const right = records[at];
        if (right === undefined) return;
        const wrong = { ...right, amount: '0.5', reserved_amount: '0.5' };
        const sweeps = [{ records: records.with(at, wrong), at_ms: START_MS + 3_600_000 }];
        const found = judge({ rows, intents, sweeps }).findings;
        expect(found.map(({ evidence }) => evidence.includes(`record:${right.id}`))).toEqual([true]);
      }),
      { seed: 20261121, numRuns: 150 },
    );
  });
});

function leafOf(changes: Pick<ReadLeaf, 'start' | 'end' | 'totals' | 'records'>): ReadLeaf {
  return {
    model: null,
    figure: 'records',
    served: null,
    by_page_size: false,
    stable: true,
    reads: ['answer-1'],
    ...changes,
  };
}

test("a record that has the id of an answer is its call's, where its request is named by an id that the client never saw", () => {
  const rows = ['a', 'b'].map((name) => textRow(name, { ...NO_ID, response_id: `answer-${name}` }));
  const records = ['a', 'b'].map((name) =>
    recordOf(name, { id: `answer-${name}`, request_id: `own-${name}` }),
  );
  const result = judge({ rows, sweeps: [{ records }] });
  expect(result.matching).toMatchObject([{ pass: 'linked_id', pairs: 2 }]);
  expect(result.calls.map(({ call_id, record }) => [call_id, record?.id])).toEqual([
    ['call-a', 'answer-a'],
    ['call-b', 'answer-b'],
  ]);
  // An id that two requests have names neither.
  const twice = ['own-a', 'own-b'].map((request_id) => recordOf('a', { id: 'answer-a', request_id }));
  const passes = judge({ rows: rows.slice(0, 1), sweeps: [{ records: twice }] }).matching.map(
    ({ pass }) => pass,
  );
  expect(passes).not.toContain('linked_id');
});
