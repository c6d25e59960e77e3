import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WeighbridgeError } from '../contracts/failure.ts';
import { loadLedger } from './load-ledger.ts';
import { readLedger } from './read-ledger.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'ledger-'));
});
afterEach(() => rm(dir, { recursive: true }));

const HEADER = {
  schema: 'weighbridge.ledger/1',
  run_id: 'run',
  instance: 'one',
  file: 0,
  segment: null,
  seed: 1,
  clock: { wall: '2026-11-20T12:00:00.000Z', mono_ms: 5 },
  plan_hash: null,
  key_fp: null,
  cores: 2,
  versions: { weighbridge: '0', k6: '2.2.0', go: '1.26' },
};

const SECOND = { ...HEADER, instance: 'two' };

function intent(callId: string): object {
  return {
    schema: 'weighbridge.intent/1',
    run_id: 'run',
    instance: 'one',
    call_id: callId,
    logical_id: callId,
    attempt: 1,
    kind: 'chat',
    model: 'a/b:c@1,d="e" \u2028',
    key_fp: null,
    at: '2026-11-20T12:00:00.000Z',
    worst_case_usd: '0.01',
    prompt_bytes: 40,
    max_tokens: null,
    units: null,
    watermark: null,
  };
}

function row(callId: string, changes: object = {}): object {
  const nulls = Object.fromEntries(
    [
      'iteration planned_at wrote_ms headers_ms first_event_ms ttft_ms ttfo_ms schedule_lag_ms itl max_gap_ms events',
      'chunks out_chars text_sha256 text_ref error_code api_error_type error_message request_id response_id key_fp',
      'response_model service_tier retry_after_s finish terminal_seen usage units tools max_tokens prompt_bytes prefixes watermark other_ids',
      'turn job worst_case_usd bytes_in bytes_out conn_reused proto',
    ]
      .join(' ')
      .split(' ')
      .map((name) => [name, null]),
  );
  return {
    ...nulls,
    schema: 'weighbridge.call/1',
    run_id: 'run',
    instance: 'one',
    call_id: callId,
    logical_id: callId,
    attempt: 1,
    scenario: 'chat',
    phase: 'measured',
    kind: 'chat',
    method: 'POST',
    path: '/v1/chat/completions',
    stream: false,
    model: 'm',
    started_at: '2026-11-20T12:00:00.000Z',
    end_ms: 10.5,
    status: 200,
    outcome: 'ok',
    error_type: 'none',
    blame: 'none',
    request_ids: [],
    ...changes,
  };
}

function state(elapsedMs: number): object {
  return {
    schema: 'weighbridge.state/1',
    run_id: 'run',
    instance: 'one',
    at: '2026-11-20T12:00:01.000Z',
    elapsed_ms: elapsedMs,
    scenarios: [],
    sched_lag_ms: 0,
    cpu: 0.5,
    gc_ms: 0,
    open_files: null,
    open_files_limit: null,
    timer_lag_ms: 0,
    run_queue_p99_ms: null,
    rss_bytes: null,
    rows_lost: 0,
    reserved_usd: null,
    began_at: null,
    halted: null,
    halted_at: null,
    final: false,
  };
}

function finished(scenario: string, count: number): object {
  const counts = { planned: count, started: count, dropped: 0, held: 0 };
  return { scenario, ...counts, in_flight: 0, finished: count, ok: count };
}

function lines(...values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

async function write(name: string, text: string): Promise<string> {
  const path = join(dir, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text);
  return path;
}

describe('loadLedger', () => {
  test('reads a run folder, a calls folder and a single file alike', async () => {
    const file = await write('calls/one-1.ndjson', lines(HEADER, intent('a'), row('a'), state(1), state(2)));
    await write('plan.ndjson', 'not a ledger');
    for (const path of [dir, join(dir, 'calls'), file]) {
      const ledger = await loadLedger(path);
      expect(ledger.headers).toEqual([HEADER]);
      expect(ledger.intents).toEqual([intent('a')]);
      expect(ledger.rows).toEqual([row('a')]);
      expect(ledger.states).toEqual([state(1), state(2)]);
      expect(ledger.problems).toEqual([]);
    }
  });

  test('keeps every state and fields of later versions, and counts unknown lines', async () => {
    await write('a-1.ndjson', lines(HEADER, state(1), state(2), { schema: 'weighbridge.other/9' }));
    await write('b-1.ndjson', lines({ ...SECOND, later: true }, state(3)));
    const ledger = await loadLedger(dir);
    expect(ledger.states.map(({ elapsed_ms }) => elapsed_ms)).toEqual([1, 2, 3]);
    expect(ledger.headers[1]).toMatchObject({ later: true });
    expect(ledger.unknown_lines).toBe(1);
  });

  test('lines of another version of ours are a part that is not here: what they say may have been paid', async () => {
    const newer = { ...intent('a'), schema: 'weighbridge.intent/2' };
    await write('one-1.ndjson', lines(HEADER, newer, { ...newer, call_id: 'b' }, state(1)));
    const ledger = await loadLedger(dir);
    expect(ledger.problems).toMatchObject([
      { line: 2, gap: true, what: expect.stringContaining('"weighbridge.intent/2"') },
    ]);
    expect(ledger.unknown_lines).toBe(2);
  });

  test('what earlier versions did not write is not known, and all they did was measured', async () => {
    const counts = { planned: 9, started: 7, dropped: 1, held: 1 };
    const earlier = {
      ...state(1),
      scenarios: [{ scenario: 'chat', ...counts, in_flight: 0, finished: 7, ok: 7 }],
      open_files_limit: undefined,
      timer_lag_ms: undefined,
      run_queue_p99_ms: undefined,
      rss_bytes: undefined,
      began_at: undefined,
      halted_at: undefined,
    };
    await write('one-1.ndjson', lines(HEADER, earlier, { ...row('a'), turn: undefined }));
    const ledger = await loadLedger(dir);
    expect(ledger.states).toMatchObject([
      {
        scenarios: [{ measured: counts, not_sent: null, aborted: null, retried: null }],
        open_files_limit: null,
        timer_lag_ms: null,
        run_queue_p99_ms: null,
        rss_bytes: null,
        began_at: null,
        halted_at: null,
      },
    ]);
    expect(ledger.rows).toMatchObject([{ turn: null }]);
  });

  test('a last line cut at any byte is a problem, and every line before it is kept', async () => {
    const whole = lines(HEADER, intent('a'));
    const last = JSON.stringify(row('a', { model: 'é' }));
    const bytes = Buffer.from(last);
    for (let cut = 1; cut < bytes.length; cut += 37) {
      const path = await write('one-1.ndjson', whole);
      await appendFile(path, bytes.subarray(0, cut));
      const ledger = await loadLedger(dir);
      expect(ledger.intents).toHaveLength(1);
      expect(ledger.rows).toEqual([]);
      expect(ledger.problems).toEqual([
        {
          file: path,
          line: 3,
          gap: false,
          what: 'truncated last line: expected one JSON object, found text that is not JSON',
        },
      ]);
    }
  });

  test('a whole last line without its newline is read', async () => {
    await write('one-1.ndjson', lines(HEADER) + JSON.stringify(row('a')));
    expect((await loadLedger(dir)).rows).toHaveLength(1);
  });

  test.each([
    ['text that is not JSON', '{"schema":'],
    ['a field of another type', JSON.stringify(row('b', { end_ms: 'soon' }))],
    ['an outcome outside the closed list', JSON.stringify(row('b', { outcome: 'fine' }))],
    ['a missing field', JSON.stringify({ ...row('b'), units: undefined })],
  ])('%s in the middle throws with file and line', async (_, damaged) => {
    const path = await write('one-1.ndjson', `${lines(HEADER)}${damaged}\n${lines(row('a'))}`);
    const error = await loadLedger(dir).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(WeighbridgeError);
    expect(error).toMatchObject({ code: 'ledger_corrupt', exitCode: 1 });
    expect(String(error)).toContain(`${path}:2`);
  });

  test('a damaged last line of one file does not hide behind the next file', async () => {
    await write('a-1.ndjson', `${lines(HEADER)}{"schema"`);
    await write('b-1.ndjson', lines(SECOND, row('a')));
    const ledger = await loadLedger(dir);
    expect(ledger.problems).toHaveLength(1);
    expect(ledger.rows).toHaveLength(1);
  });

  test('a second row of a call id is a problem, and the first one stands', async () => {
    await write('a-1.ndjson', lines(HEADER, row('a', { end_ms: 1 }), intent('a'), intent('a')));
    await write('b-1.ndjson', lines(SECOND, row('a', { end_ms: 2 })));
    const ledger = await loadLedger(dir);
    expect(ledger.rows.map(({ end_ms }) => end_ms)).toEqual([1]);
    expect(ledger.problems.map(({ line, what }) => [line, what])).toEqual([
      [4, 'second intent of call a'],
      [2, 'second row of call a'],
    ]);
  });

  test('a file with fewer rows than its last state line counts as finished is not whole', async () => {
    const counted = { ...state(2), scenarios: [finished('chat', 3), finished('video', 1)] };
    const others = [
      row('kept back', { outcome: 'not_sent' }),
      row('poll', { kind: 'poll' }),
      row('clip', { kind: 'video', scenario: 'video' }),
    ];
    const whole = [HEADER, row('a'), state(1), row('b'), ...others, row('c'), counted];
    const file = await write('one-0.ndjson', lines(...whole));
    // Of another instance, whose process was killed behind its last state line.
    await write('two-0.ndjson', lines(SECOND, { ...state(1), scenarios: [finished('chat', 0)] }, row('d')));
    expect((await loadLedger(dir)).problems).toEqual([]);
    const gone = (id: string) => whole.filter((line) => !('call_id' in line && line.call_id === id));
    for (const [id, of] of [
      ['b', '1 of 3 rows of scenario chat'],
      ['clip', '1 of 1 row of scenario video'],
    ] as const) {
      await write('one-0.ndjson', lines(...gone(id)));
      const what = `one-0.ndjson lacks ${of}, by its last state line`;
      expect((await loadLedger(dir)).problems).toEqual([{ file, line: whole.length - 1, what, gap: true }]);
    }
    await write('one-0.ndjson', lines(...gone('kept back')));
    expect((await loadLedger(dir)).problems).toEqual([]);
  });

  test('a path that does not exist is told as such', async () => {
    await expect(loadLedger(join(dir, 'nothing'))).rejects.toMatchObject({
      code: 'ledger_missing',
      exitCode: 2,
    });
  });
});

test('lines are given with file and number, in order', async () => {
  await write('b-1.ndjson', lines(HEADER, row('b')));
  await write('a-1.ndjson', `${lines(HEADER)}\n${lines(row('a'))}`);
  const seen: string[] = [];
  for await (const item of readLedger(dir)) seen.push(`${item.file.slice(dir.length + 1)}:${item.line}`);
  expect(seen).toEqual(['a-1.ndjson:1', 'a-1.ndjson:3', 'b-1.ndjson:1', 'b-1.ndjson:2']);
});
