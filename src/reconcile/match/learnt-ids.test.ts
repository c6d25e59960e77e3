import { describe, expect, test } from 'vitest';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import { brief, imageRow, judge, recordOf, START_MS, textRow } from '../reconcile.test-support.ts';

const NO_ID = { request_id: null, request_ids: [] };
const LATER = START_MS + 86_400_000 * 2;

/** The id by which the record of a call names it. */
const idOf = (name: string): string => `req-0000-${name}`;

/** A call whose answer told no documented id, and these texts. */
function callOf(name: string, other_ids: CallRow['other_ids'], changes: Partial<CallRow> = {}): CallRow {
  return textRow(name, { ...NO_ID, other_ids, ...changes });
}

function recordsOf(names: readonly string[]) {
  return names.map((name) => recordOf(name, { request_id: idOf(name) }));
}

function judged(rows: readonly CallRow[], names: readonly string[]) {
  return judge({ rows, key: 'exclusive', sweeps: [{ records: recordsOf(names), at_ms: LATER }] });
}

function passes({ calls }: ReturnType<typeof judge>) {
  return calls.map(({ match, record_ids }) => [match, ...record_ids]);
}

describe('an id in a header that no page names', () => {
  const told = (name: string) =>
    callOf(name, { 'header:cf-ray': `ray-${name}-01`, 'header:x-log': idOf(name) });

  test('is the id of the request where records go by it', () => {
    expect(passes(judged(['a', 'b', 'c'].map(told), ['c', 'b', 'a']))).toEqual([
      ['request_id', 'rec-a'],
      ['request_id', 'rec-b'],
      ['request_id', 'rec-c'],
    ]);
  });

  test('proves nothing where it leads to no record', () => {
    const { findings } = judged(['a', 'b', 'c'].map(told), ['a', 'b']);
    expect(findings.map((each) => [each.class, each.confidence, each.request_id])).toEqual([
      ['unrecorded_request', 'strong', null],
    ]);
  });

  test('accuses no gateway that passes on the ids of a provider in the same place', () => {
    const names = ['a', 'b', 'c', 'd'];
    const rows = names.map((name) => callOf(name, { 'body:id': name === 'd' ? 'prov-0000-d' : idOf(name) }));
    expect(judged(rows, names).findings).toEqual([]);
  });

  test('is learnt by kind of call: that of an image may stand elsewhere', () => {
    const images = ['i', 'j', 'k'].map((name) =>
      imageRow(name, { ...NO_ID, other_ids: { 'header:x-log': `log-0000-${name}` } }),
    );
    const { calls } = judged([...['a', 'b'].map(told), ...images], ['a', 'b']);
    expect(calls.filter(({ match }) => match === 'request_id').map(({ kind }) => kind)).toEqual([
      'chat',
      'chat',
    ]);
    expect(calls.find(({ kind }) => kind === 'image')?.request_id).toBeNull();
  });

  test('comes before a documented one that leads to no record', () => {
    const rows = ['a', 'b'].map((name) => ({
      ...told(name),
      request_id: `front-000-${name}`,
      request_ids: [`front-000-${name}`],
    }));
    expect(passes(judged(rows, ['a', 'b']))).toEqual([
      ['request_id', 'rec-a'],
      ['request_id', 'rec-b'],
    ]);
  });

  test('stands behind a documented one that leads to records', () => {
    const named = ['b', 'c'].map((name) =>
      textRow(name, { request_id: idOf(name), request_ids: [idOf(name)] }),
    );
    const row = { ...told('a'), request_id: 'front-000-a', request_ids: ['front-000-a'] };
    expect(passes(judged([row, ...named], ['a', 'b', 'c']))[0]).toEqual(['other_id', 'rec-a']);
  });
});

describe('teaches nothing:', () => {
  test('a text that several calls were told', () => {
    const rows = ['a', 'b'].map((name) => callOf(name, { 'header:x-session': idOf('a') }));
    expect(judged(rows, ['a', 'b']).calls.map(({ match }) => match)).not.toContain('request_id');
  });

  test('a place whose texts lead to a record less than half the time', () => {
    const rows = ['a', 'b', 'c'].map((name) =>
      callOf(name, { 'header:x-log': name === 'a' ? idOf(name) : `log-0000-${name}` }),
    );
    expect(judged(rows, ['a', 'b', 'c']).findings).toEqual([]);
    expect(judged(rows, ['a', 'b', 'c']).calls.map(({ match }) => match)).not.toContain('request_id');
  });

  test('the id of another call', () => {
    const usage = { cache_read: 0, cache_write: 0, reasoning: null, raw: {} };
    const rows = [
      callOf('a', { 'header:x-last': idOf('b') }, { usage: { input: 700, output: 10, ...usage } }),
      callOf('b', { 'header:x-last': idOf('a') }, { usage: { input: 900, output: 20, ...usage } }),
    ];
    const records = [
      recordOf('a', { request_id: idOf('a'), input_tokens: 700, output_tokens: 10, amount: '0.00148' }),
      recordOf('b', { request_id: idOf('b'), input_tokens: 900, output_tokens: 20, amount: '0.00196' }),
    ];
    const both = judge({ rows, key: 'exclusive', sweeps: [{ records, at_ms: LATER }] });
    expect(passes(both)).toEqual([
      ['fingerprint', 'rec-a'],
      ['fingerprint', 'rec-b'],
    ]);
  });
});

test('the id of an answer holds that of its request behind the kind of answer', () => {
  const rows = ['a', 'b'].map((name) => callOf(name, {}, { response_id: `chatcmpl-${idOf(name)}` }));
  expect(passes(judged(rows, ['b', 'a']))).toEqual([
    ['request_id', 'rec-a'],
    ['request_id', 'rec-b'],
  ]);
  expect(brief(judged(rows, ['b', 'a']))).toEqual([]);
});
