import { describe, expect, test } from 'vitest';
import type { UsageRecord } from '../../contracts/interface.ts';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import {
  archivedBook,
  bookDocument,
  brief,
  IMAGE_MODEL,
  IMAGE_RECORD,
  type InputSpec,
  imageRow,
  intentOf,
  judge,
  only,
  recordOf,
  START_MS,
  START_S,
  TEXT_MODEL,
  TOLD_TIMES,
  textRow,
} from '../reconcile.test-support.ts';

describe('calls whose ids were never seen', () => {
  const killed = ['a', 'b'].map((name) => intentOf(name));

  test('are judged with their records by the sum', () => {
    const result = judge({ intents: killed, sweeps: [{ records: [recordOf('x'), recordOf('y')] }] });
    expect(brief(result)).toEqual([]);
    expect(result.calls.map(({ match, verdict, record_ids }) => [match, verdict, record_ids])).toEqual(
      Array.from({ length: 2 }, () => ['cluster', 'within_bounds', ['rec-x', 'rec-y']]),
    );
    expect(result.completeness.open_calls).toBe(2);
    expect(result.money.charged).toBe('0.0056');
    expect(result.sums).toMatchObject([{ call_ids: ['call-a', 'call-b'], charged: '0.0056' }]);
  });

  test('are charged by both entries where one takes off what the other charged', () => {
    const none = { refunded_amount: '0', reserved_amount: '0' };
    const records = ['x', 'y'].flatMap((name) => [
      recordOf(name, { ...none, amount: '0.01', input_tokens: 0, output_tokens: 0 }),
      recordOf(`${name}-2`, { ...none, amount: '-0.0072', request_id: `req-${name}` }),
    ]);
    const result = judge({ intents: killed, sweeps: [{ records }] });
    expect(result.findings.filter(({ severity }) => severity !== 'S4')).toEqual([]);
    expect(result.money.charged).toBe('0.0056');
    expect(result.calls[0]?.why).toContain('charged $0.0056');
  });

  test('are charged by entries of which one has the tokens, and by no more than these cost', () => {
    const entries = (first: string, second: string) => {
      const none = { refunded_amount: '0', reserved_amount: '0' };
      const records = ['x', 'y'].flatMap((name) => [
        recordOf(name, { ...none, amount: first, input_tokens: 0, output_tokens: 0 }),
        recordOf(`${name}-2`, { ...none, amount: second, request_id: `req-${name}` }),
      ]);
      return brief(judge({ intents: killed, sweeps: [{ records }] }));
    };
    expect(entries('0.0018', '0.001')).toEqual([]);
    expect(entries('0.0018', '0.002')).toEqual([
      'amount_mismatch own_tokens 0.001',
      'amount_mismatch own_tokens 0.001',
    ]);
  });

  test('have no common charge while a record of theirs is pending', () => {
    const records = [recordOf('x'), recordOf('y', { billing_status: 'pending' })];
    expect(judge({ intents: killed, sweeps: [{ records }] }).sums).toMatchObject([
      { call_ids: ['call-a', 'call-b'], charged: null },
    ]);
  });

  test('a record more than calls is a phantom, without a guess which', () => {
    const records = [
      recordOf('x'),
      recordOf('y'),
      recordOf('z', { amount: '0.00288', output_tokens: 110, refunded_amount: '0.00712' }),
    ];
    const result = judge({ intents: killed, sweeps: [{ records }] });
    expect(only(result)).toMatchObject({
      class: 'phantom_record',
      rule: 'more_requests_than_calls',
      delta_exact: null,
      delta_min: '0.0028',
      delta_max: '0.00288',
      request_id: null,
    });
  });

  test('a rounding that no book tells may move each charge of a sum', () => {
    const image = { id: IMAGE_MODEL, kind: 'image', unit: 'per_image', tiers: [{ price: '0.00123' }] };
    const text = { id: TEXT_MODEL, kind: 'text', unit: 'per_1m_tokens', input: '2', output: '8' };
    const book = archivedBook(bookDocument({ rounding: undefined, models: [image, text] }));
    const usage = { input: 1000, output: 101, cache_read: 0, cache_write: 0, reasoning: null, raw: {} };
    const of = (amount: string): readonly string[] => {
      const changes = { ...IMAGE_RECORD, amount, reserved_amount: amount };
      const names = ['a', 'b', 'c', 'd', 'e'];
      const rows = names.map((name) => imageRow(name, { request_id: null, request_ids: [] }));
      const records = names.map((name) => recordOf(`of-${name}`, changes));
      // A charge of no rounding, as no other is.
      const round = recordOf('m', { amount: '0.002808', refunded_amount: '0', output_tokens: 101 });
      return brief(
        judge({
          rows: [...rows, textRow('m', { usage })],
          books: [book],
          sweeps: [{ records: [...records, round] }],
        }),
      );
    };
    expect(of('0.0012')).toEqual([]);
    expect(of('0.0015')).toEqual(['amount_mismatch cluster_sum open']);
  });

  test('more calls that succeeded than records tell of a loss that no price measures', () => {
    const told = { request_id: null, request_ids: [], usage: null };
    const late = START_MS + 2 * 86_400_000;
    const of = (changes: Partial<CallRow>, at_ms = late, key: 'exclusive' | 'shared' = 'exclusive') =>
      brief(
        judge({
          rows: [textRow('a', told), textRow('b', { ...told, ...changes })],
          books: [],
          key,
          sweeps: [{ records: [recordOf('x')], at_ms }],
          terms: TOLD_TIMES,
        }),
      );
    expect(of({})).toEqual(['unrecorded_request fewer_requests_than_calls open']);
    expect(of({ outcome: 'truncated', error_type: 'stream_truncated' })).toEqual([]);
    expect(of({}, START_MS + 2000)).toEqual([]);
    expect(of({}, late, 'shared')).toEqual([]);
  });

  test('a record that no open call can explain is a phantom by itself', () => {
    const dear = recordOf('x', { amount: '1', reserved_amount: '1', refunded_amount: '0' });
    const late = recordOf('y', { created_at: START_S - 6 });
    const other = recordOf('z', { model: 'image-1' });
    for (const record of [dear, other]) {
      const result = judge({ intents: killed, sweeps: [{ records: [record] }] });
      expect(only(result)).toMatchObject({ class: 'phantom_record', rule: 'record_without_call' });
    }
    expect(
      judge({ intents: killed, sweeps: [{ records: [late] }] }).calls.map(({ match }) => match),
    ).toContain('foreign');
  });

  test('entries of one charge are one phantom, over their sum', () => {
    const none = { refunded_amount: '0', reserved_amount: '0' };
    const records = [
      recordOf('b', { ...none, amount: '0.01', input_tokens: 0, output_tokens: 0 }),
      recordOf('b2', { ...none, amount: '-0.0072', request_id: 'req-b' }),
    ];
    const result = judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a'), ...records] }] });
    expect(only(result)).toMatchObject({ class: 'phantom_record', delta_exact: '0.0028' });
    expect(result.calls[1]).toMatchObject({ record_ids: ['rec-b', 'rec-b2'], charged: '0.0028' });
  });

  test('a killed image call may cost exactly its price', () => {
    const units = { images: 1, size: '1024x1024', quality: 'low', seconds: null, resolution: null };
    const intents = [intentOf('a', { kind: 'image', model: IMAGE_MODEL, units })];
    const result = judge({ intents, sweeps: [{ records: [recordOf('x', IMAGE_RECORD)] }] });
    expect(brief(result)).toEqual([]);
    expect(result.calls[0]).toMatchObject({
      match: 'open_intent',
      charged: '0.02',
      verdict: 'within_bounds',
    });
  });

  test('a killed call charged twice is a duplicate by its request id', () => {
    const result = judge({
      intents: killed,
      sweeps: [{ records: [recordOf('x'), recordOf('x', { id: 'rec-2' })] }],
    });
    expect(brief(result)).toEqual(['duplicate_charge second_settled_record 0.0028']);
  });

  test('a call taken back or never connected explains no record', () => {
    for (const row of [
      textRow('a', { outcome: 'not_sent', usage: null, request_id: null, request_ids: [] }),
      textRow('a', {
        outcome: 'net_error',
        error_type: 'connect_refused',
        usage: null,
        request_id: null,
        request_ids: [],
      }),
    ]) {
      expect(brief(judge({ rows: [row], sweeps: [{ records: [] }] }))).toEqual([]);
      expect(brief(judge({ rows: [row], sweeps: [{ records: [recordOf('x')] }] }))).toEqual([
        'phantom_record record_without_call 0.0028',
      ]);
    }
  });

  test('succeeded calls without ids are known by their tokens', () => {
    const rows = ['a', 'b'].map((name) => textRow(name, { request_id: null, request_ids: [] }));
    const right = judge({ rows, sweeps: [{ records: [recordOf('x'), recordOf('y')] }] });
    expect(brief(right)).toEqual([]);
    expect(right.coverage.to_the_digit).toBe(1);
    const wrong = recordOf('y', { amount: '0.0036', output_tokens: 200, refunded_amount: '0.0064' });
    const told = judge({ rows, sweeps: [{ records: [recordOf('x'), wrong] }] });
    expect(brief(told)).toEqual(['token_mismatch output 0.0008']);
    expect(only(told).confidence).toBe('strong');
  });

  test('are held to no count of input that may hold cached tokens or not, nor to an estimate', () => {
    const killed = ['a', 'b'].map((name) => intentOf(name));
    const of = (
      changes: Partial<UsageRecord>,
      usage_semantics: object,
      calls: InputSpec = { intents: killed },
    ) =>
      brief(
        judge({
          ...calls,
          books: [archivedBook(bookDocument({ usage_semantics }))],
          sweeps: [{ records: [recordOf('x'), recordOf('y', changes)] }],
        }),
      );
    const told = { input_includes_cache: true, output_includes_reasoning: true };
    const written = { cache_write_tokens: 500, amount: '0.0038', refunded_amount: '0.0062' };
    // Its 1,000 tokens of input stand beside the 500 that were written.
    const usage = { input: 1000, output: 100, cache_read: 100, cache_write: 0, reasoning: null, raw: {} };
    const shown = ['m', 'n', 'o'].map((name) => textRow(name, { usage }));
    const inside = ['m', 'n', 'o'].map((name) =>
      recordOf(name, { cache_read_tokens: 100, amount: '0.00265', refunded_amount: '0.00735' }),
    );
    const silent = archivedBook(bookDocument({ usage_semantics: { output_includes_reasoning: true } }));
    const records = [...inside, recordOf('x'), recordOf('y', written)];
    const sum = judge({ rows: shown, intents: killed, books: [silent], sweeps: [{ records }] });
    // Three calls show that input holds what is read from the cache; of what is written nothing tells.
    expect(brief(sum)).toEqual([]);
    expect(of(written, told)).toEqual(['amount_mismatch own_tokens 0.001']);
    const dear = { amount: '0.0038', refunded_amount: '0.0062' };
    expect(of({ ...dear, usage_estimated: true }, told)).toEqual([]);
    // A call that was killed may be charged in part; two that ended well may not.
    const part = { amount: '0.002', refunded_amount: '0.008' };
    expect(of(part, told)).toEqual([]);
    const rows = ['a', 'b'].map((name) => textRow(name, { request_id: null, request_ids: [], usage: null }));
    expect(of(part, told, { rows })).toEqual(['amount_mismatch own_tokens -0.0008']);
  });

  test('are not held to the reasoning that the record of another call leaves out', () => {
    const rounding = { scope: 'record', quantum: '0.0001', mode: 'half_up' };
    const usage_semantics = { input_includes_cache: true, output_includes_reasoning: false };
    const call = (name: string, output: number, reasoning: number) =>
      textRow(name, {
        ...{ request_id: null, request_ids: [] },
        usage: { input: 100, output, cache_read: 0, cache_write: 0, reasoning, raw: {} },
      });
    const record = (name: string, output_tokens: number) =>
      recordOf(name, {
        ...{ amount: '0.0007', reserved_amount: '0.0007', refunded_amount: '0' },
        ...{ input_tokens: 100, output_tokens },
      });
    const result = judge({
      rows: [call('a', 66, 33), call('b', 63, 32)],
      books: [archivedBook(bookDocument({ rounding, usage_semantics }))],
      sweeps: [{ records: [record('x', 33), record('y', 31)] }],
    });
    expect(result.calls.map(({ match }) => match)).toEqual(['cluster', 'cluster']);
    expect(brief(result)).toEqual([]);
  });

  test('on a shared key records that do not fit are foreign', () => {
    const records = [recordOf('x'), recordOf('y'), recordOf('z')];
    const result = judge({ intents: killed, sweeps: [{ records }], key: 'shared' });
    expect(brief(result)).toEqual([]);
    expect(result.money.foreign.records).toBe(3);
  });
});

test('fewer requests than calls may cost as much as the dearest of these, in whatever order they stand', () => {
  // A prompt of 4,000,000 bytes may cost 8 USD, one of 4,000 some cents.
  const intents = [4_000, 4_000, 4_000_000, 4_000_000].map((prompt_bytes, index) =>
    intentOf(`${index}`, { prompt_bytes }),
  );
  const dear = { amount: '5', reserved_amount: '5', refunded_amount: '0', input_tokens: 2_499_600 };
  const records = [recordOf('x', dear), recordOf('y')];
  for (const calls of [intents, intents.toReversed()]) {
    const result = judge({ intents: calls, sweeps: [{ records }] });
    expect(result.sums).toMatchObject([{ charged: '5.0028' }]);
    expect(brief(result)).toEqual([]);
  }
});
