import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { OpenTask, TaskCall } from '../src/client/paid/paid-call.ts';
import {
  imageCall,
  imageJobCall,
  paidClient,
  TEST_TIMEOUTS,
  textCall,
  videoCall,
} from '../src/client/paid/paid-calls.test-support.ts';
import type { PaidClient } from '../src/client/paid/paid-client.ts';
import type { SubmittedTask, TaskState } from '../src/client/paid/paid-result.ts';
import { closedTaskRow, seeStatus } from '../src/client/paid/task-life.ts';
import { TEXT_KINDS, type TextKind } from '../src/core/call-kind.ts';
import { markerOf } from '../src/core/marker.ts';
import { startTestGateway, type TestGateway } from '../src/gateway/parts/gateway.test-support.ts';

// The paid client against the embedded gateway, which is honest or lies as it is told.
const journal = z.object({ lines: z.array(z.looseObject({ request_id: z.string() })) });
const never = new AbortController().signal;
let gateway: TestGateway;
let client: PaidClient;

beforeAll(async () => {
  gateway = await startTestGateway();
  client = paidClient(gateway.running.ready.base_url, gateway.running.ready.api_key);
});

afterEach(() => gateway.control('PUT', '/faults', { faults: [] }));

afterAll(async () => {
  await client.close();
  await gateway.running.close();
});

async function plant(fault: string, parameters: object = {}, select: object = {}): Promise<void> {
  const plan = { faults: [{ fault, select, when: { every: 1 }, parameters }] };
  const { status, text } = await gateway.control('PUT', '/faults', plan);
  if (status !== 200) throw new Error(`the plan was refused: ${text}`);
}

describe.each(TEXT_KINDS)('%s', (kind) => {
  test.each([false, true])('streamed %s: the row, the phases and the content', async (stream) => {
    const call = textCall(kind, stream);
    const intent = client.intent(call);
    const result = await client.text(call, never);
    const { row, phases, since_sent, stream_events } = result;
    expect(row).toMatchObject({
      kind,
      stream,
      model: 'aspen-nano',
      outcome: 'ok',
      error_type: 'none',
      blame: 'none',
      status: 200,
      scenario: 'probe-a',
      call_id: intent.call_id,
      key_fp: intent.key_fp,
      prompt_bytes: intent.prompt_bytes,
      conn_reused: false,
      proto: 'HTTP/1.1',
      worst_case_usd: '0.01',
    });
    expect(row.usage?.output).toBeGreaterThan(0);
    expect(row.out_chars).toBeGreaterThan(0);
    expect(row.request_id).not.toBeNull();
    expect(result.verdict).toEqual({ error_type: 'none', blame: 'none' });
    expect(result.broken_rules).toEqual([]);
    expect(phases).toMatchObject({ resolve: null, tls: null });
    const known = [phases.connect, phases.send, phases.wait, phases.transfer];
    expect(known.every((ms) => ms !== null && ms >= 0)).toBe(true);
    if (!stream) {
      expect(row).toMatchObject({ ttft_ms: null, itl: null, events: null, terminal_seen: null });
      return;
    }
    expect(row.terminal_seen).toBe(true);
    expect(stream_events).toMatchObject({ terminator: 1, error: 0, malformed: 0, unknown: 0 });
    expect(stream_events.delta).toBe(row.events);
    const gaps = (row.itl ?? []).reduce((sum, [, count]) => sum + count, 0);
    expect(gaps).toBe((row.events ?? 0) - 1);
    const { first_event, first_content, last_content } = since_sent;
    expect(first_event).toBeLessThanOrEqual(first_content ?? -1);
    // The gaps lie between the first and the last content, each rounded to a bucket of a few per cent.
    const between = (row.itl ?? []).reduce((sum, [gapMs, count]) => sum + gapMs * count, 0);
    const span = (last_content ?? -1) - (first_content ?? 0);
    expect(Math.abs(span - between)).toBeLessThanOrEqual(1 + span * 0.1);
    expect((row.ttft_ms ?? 0) - (row.wrote_ms ?? 0)).toBeCloseTo(first_content ?? -1, 1);
  });

  test('the record and the journal name the call', async () => {
    const call = textCall(kind, true);
    const { row } = await client.text(call, never);
    const record = (await gateway.records()).find(({ request_id }) => request_id === row.request_id);
    expect(record).toMatchObject({ model: 'aspen-nano', output_tokens: row.usage?.output });
    const { lines } = journal.parse((await gateway.control('GET', '/journal')).json);
    expect(lines.filter(({ request_id }) => request_id === row.request_id)).toEqual([
      expect.objectContaining({ marker: markerOf('run-a', row.call_id), key_fp: row.key_fp }),
    ]);
  });
});

test('the messages format takes the key in its own header', async () => {
  const { row } = await client.text(textCall('messages', true, { auth: 'x-api-key' }), never);
  expect(row.outcome).toBe('ok');
});

const CUT = { after_events: 4 };
const STREAM_FAULTS: readonly [string, object, TextKind, string, string][] = [
  ['net.fin_mid', CUT, 'chat', 'truncated', 'stream_truncated'],
  ['net.reset_mid', { after: 4 }, 'responses', 'truncated', 'stream_truncated'],
  ['net.eof_clean', CUT, 'messages', 'truncated', 'stream_no_terminator'],
  ['net.half_event', CUT, 'chat', 'truncated', 'stream_no_terminator'],
  ['net.no_terminator', {}, 'responses', 'truncated', 'stream_no_terminator'],
  ['net.eof_clean', { after_events: 0 }, 'chat', 'stream_error', 'stream_empty'],
  ['net.trunc_json', CUT, 'chat', 'stream_error', 'stream_bad_json'],
  ['net.garbage_chunk', CUT, 'messages', 'stream_error', 'stream_bad_json'],
  ['net.wrong_type', {}, 'responses', 'bad_response', 'schema_mismatch'],
  ['net.gzip_stream', {}, 'chat', 'bad_response', 'schema_mismatch'],
  ['net.reset_before', {}, 'chat', 'net_error', 'connect_reset'],
  ['net.reset_before', { manner: 'fin' }, 'chat', 'net_error', 'socket_closed'],
  ['sem.error_in_stream', CUT, 'messages', 'stream_error', 'stream_error_event'],
  ['sem.responses_failed', CUT, 'responses', 'stream_error', 'stream_error_event'],
  ['sem.responses_incomplete', {}, 'responses', 'stream_error', 'stream_incomplete'],
  ['sem.failed_then_text', CUT, 'chat', 'stream_error', 'stream_error_event'],
  ['http.401', {}, 'chat', 'http_error', 'unauthorized'],
  ['http.402_quota', {}, 'responses', 'http_error', 'insufficient_user_quota'],
  ['http.403_quota', {}, 'messages', 'http_error', 'insufficient_user_quota'],
  ['http.403_denied', {}, 'chat', 'http_error', 'access_denied'],
  ['http.403_site', {}, 'chat', 'http_error', 'key_site_mismatch'],
  ['http.404_model', {}, 'chat', 'http_error', 'model_not_found'],
  ['http.400_provider', {}, 'chat', 'http_error', 'http_4xx'],
  ['http.429_plain', {}, 'chat', 'http_error', 'rate_limited'],
  ['http.429_empty_body', {}, 'chat', 'http_error', 'rate_limited'],
  ['http.429_crowded', {}, 'responses', 'http_error', 'upstream_crowded'],
  ['http.500', {}, 'chat', 'http_error', 'upstream_error'],
  ['http.500', { body: 'empty' }, 'chat', 'http_error', 'http_5xx'],
  ['http.502_unavailable', {}, 'chat', 'http_error', 'upstream_unavailable'],
  ['http.524_html', {}, 'chat', 'http_error', 'http_5xx'],
  ['http.redirect', {}, 'chat', 'http_error', '_OTHER'],
  ['http.200_error_body', {}, 'chat', 'bad_response', 'schema_mismatch'],
];

test.each(STREAM_FAULTS)('stream: %s %j of %s is %s, %s', async (fault, parameters, kind, outcome, type) => {
  await plant(fault, parameters);
  const { row, verdict } = await client.text(textCall(kind, true), never);
  expect(row).toMatchObject({ outcome, error_type: type });
  expect(verdict.error_type).toBe(type);
});

// Forms that a reader has to take, however odd.
test.each([
  ['net.crlf', {}],
  ['net.cr', {}],
  ['net.bom', {}],
  ['net.nospace', {}],
  ['net.multiline_data', {}],
  ['net.slice', { max_bytes: 3 }],
  ['net.split_utf8', {}],
  ['net.dup_terminator', {}],
  ['net.after_terminator', {}],
  ['net.slow_close', { open_ms: 60_000 }],
])('stream: %s %j is ok', async (fault, parameters) => {
  await plant(fault, parameters);
  const { row, stream_events } = await client.text(textCall('chat', true), never);
  expect(row).toMatchObject({ outcome: 'ok', terminal_seen: true });
  if (fault === 'net.dup_terminator') expect(stream_events.terminator).toBe(2);
  if (fault === 'net.slow_close') expect(row.end_ms).toBeLessThan(60_000);
});

test('comments of a stream are counted, and are no event', async () => {
  await plant('net.comments', { every_ms: 1 });
  const { row, stream_events } = await client.text(textCall('chat', true), never);
  expect(row.outcome).toBe('ok');
  expect(stream_events.comment).toBeGreaterThan(0);
});

test.each([
  ['net.stall', { after_events: 4, silent_ms: 0 }, { idle_ms: 150, total_ms: 2000 }, 'timeout_idle'],
  ['net.ttft', { ms: 60_000 }, { first_token_ms: 150, total_ms: 2000 }, 'timeout_first_token'],
  ['net.ttft', { ms: 60_000 }, { total_ms: 150 }, 'timeout_total'],
  ['net.no_flush', {}, { headers_ms: 1 }, 'timeout_headers'],
] as const)('%s %j within %j is %s', async (fault, parameters, changed, outcome) => {
  await plant(fault, parameters);
  const timeouts = { ...TEST_TIMEOUTS, ...changed };
  const { row } = await client.text(textCall('chat', true, { timeouts }), never);
  expect(row).toMatchObject({ outcome, error_type: outcome });
});

test.each([
  ['net.wrong_type', 'bad_response', 'schema_mismatch'],
  ['net.bad_length', 'truncated', 'stream_truncated'],
  ['http.200_error_body', 'bad_response', 'schema_mismatch'],
])('plain: %s is %s, %s', async (fault, outcome, type) => {
  await plant(fault);
  const { row } = await client.text(textCall('chat', false), never);
  expect(row).toMatchObject({ outcome, error_type: type });
});

test('a refusal keeps how long to wait, its code and its request id', async () => {
  await plant('http.429_retry_after_s', { seconds: 7 });
  const { row } = await client.text(textCall('chat', true), never);
  expect(row).toMatchObject({ status: 429, retry_after_s: 7, blame: 'account' });
  expect(row.request_id).not.toBeNull();
});

test('a refusal without a request id, or without an error object, breaks a rule of the interface', async () => {
  await plant('http.no_request_id');
  const unknown = await client.text(textCall('chat', true, { model: 'no-such-model' }), never);
  expect(unknown.row).toMatchObject({ error_type: 'model_not_found', request_ids: [] });
  expect(unknown.broken_rules).toEqual(['error_without_request_id']);
  await plant('http.500_code_missing');
  const shapeless = await client.text(textCall('chat', true), never);
  expect(shapeless.broken_rules).toEqual(['error_body_shape']);
});

test.each([true, false])(
  'an empty answer is ok in the row and fails the probe, streamed %s',
  async (stream) => {
    await plant('sem.empty_output');
    const { row, verdict, broken_rules } = await client.text(textCall('messages', stream), never);
    expect(row).toMatchObject({ outcome: 'ok', out_chars: 0 });
    expect(broken_rules).toEqual(['empty_content']);
    expect(verdict).toEqual({ error_type: 'assertion', blame: 'gateway' });
  },
);

test.each([
  [imageCall('image'), 0],
  [imageCall('image', { response_format: 'url' }), 1],
  [imageCall('image_edit'), 0],
  [imageCall('image_edit', { multipart: true }), 0],
])('an image at once: its bytes are checked (%#)', async (call, links) => {
  const { row, content, free_rows, broken_rules } = await client.image(call, never);
  expect(row).toMatchObject({ outcome: 'ok', units: { images: 1, size: '1024x1024', quality: 'low' } });
  expect(content).toMatchObject({ format: 'png', sound: true });
  expect(content?.bytes).toBeGreaterThan(100);
  expect(broken_rules).toEqual([]);
  expect(free_rows.map(({ kind, outcome }) => [kind, outcome])).toEqual(
    Array.from({ length: links }, () => ['download', 'ok']),
  );
});

test.each([
  ['sem.no_image_field', 'bad_response', 'schema_mismatch', []],
  ['sem.link_expired', 'bad_response', 'download_failed', []],
  ['sem.n_ignored', 'ok', 'none', ['image_count']],
  ['sem.wrong_format', 'ok', 'none', ['image_form']],
])('an image under %s is %s, %s', async (fault, outcome, type, rules) => {
  await plant(fault);
  const { row, broken_rules } = await client.image(imageCall('image', { response_format: 'url' }), never);
  expect(row).toMatchObject({ outcome, error_type: type });
  expect(broken_rules).toEqual(expect.arrayContaining(rules));
});

test('the path of a fetched link has no signature in it', async () => {
  const call = imageCall('image', { response_format: 'url' });
  const { free_rows } = await client.image(call, never);
  expect(free_rows[0]?.path).toMatch(/^\/files\/images\/[^?]+$/);
});

async function submit(call: TaskCall): Promise<SubmittedTask & { readonly task: OpenTask }> {
  const submitted = await client.submitTask(call, never);
  if (submitted.task === null) throw new Error(`not accepted: ${submitted.row.error_message}`);
  return { ...submitted, task: submitted.task };
}

/** Polls until the task has ended or is completed, or so often. */
async function follow(from: OpenTask, most = 200): Promise<readonly TaskState[]> {
  const states: TaskState[] = [];
  for (let task = from; states.length < most; ) {
    const state = await client.pollTask(task, never);
    states.push(state);
    if (state.end !== null || state.status === 'completed') break;
    task = state.task;
  }
  return states;
}

test.each([
  [imageJobCall('image_job'), 'png'],
  [imageJobCall('image_edit_job', { multipart: true }), 'png'],
  [videoCall(), 'mp4'],
] as const)('a task lives: submitted, polled, fetched (%#)', async (call, format) => {
  const submitted = await submit(call);
  const accepted = Date.parse(submitted.row.started_at);
  expect(submitted.row).toMatchObject({
    outcome: 'ok',
    job: { id: submitted.task.id, statuses: ['queued'] },
  });
  const states = await follow(submitted.task);
  const last = states.at(-1);
  expect(last).toMatchObject({ status: 'completed', end: null });
  expect(states.every(({ transition }) => transition?.legal ?? true)).toBe(true);
  const content = await client.downloadTask(last?.task ?? submitted.task, never);
  expect(content.end).toMatchObject({ outcome: 'ok', error_type: 'none' });
  expect(content.content).toMatchObject({ format, sound: true });
  expect(content.broken_rules).toEqual([]);
  const rows = [...states.map(({ row }) => row), ...content.rows];
  expect(new Set(rows.map(({ call_id }) => call_id)).size).toBe(rows.length);
  expect(rows.every(({ call_id }) => call_id.startsWith(`${submitted.row.call_id}/`))).toBe(true);
  const watch = states.reduce((seen, { status }) => seeStatus(seen, status, accepted + 10), {
    job: submitted.row.job ?? expect.fail(),
    accepted_at_ms: accepted,
    working_at_ms: null as number | null,
  });
  const closed = closedTaskRow(submitted.row, watch.job, content.end, accepted + 5000);
  expect(closed).toMatchObject({ outcome: 'ok', end_ms: 5000, job: { polls: states.length } });
  expect(closed.job?.statuses.at(-1)).toBe('completed');
});

test.each([imageJobCall('image_job'), videoCall()])(
  'a task that failed says so inside a 200 (%#)',
  async (call) => {
    await plant('sem.task_failed_200');
    const states = await follow((await submit(call)).task);
    const last = states.at(-1);
    expect(last?.row).toMatchObject({ status: 200, outcome: 'ok' });
    expect(last?.end).toMatchObject({ outcome: 'task_failed', error_type: 'task_failed' });
    expect(last?.end?.error_code).not.toBeNull();
  },
);

test('a task that vanishes is lost', async () => {
  await plant('sem.vanish_404', { after_polls: 1 });
  const states = await follow((await submit(videoCall())).task);
  expect(states.at(-1)?.end).toMatchObject({ outcome: 'task_lost', error_type: 'task_lost' });
});

test('a status that goes backwards is an illegal transition; out of a final one it ends the task', async () => {
  await plant('sem.backward_status', { from: 'completed' });
  const states = await follow((await submit(videoCall())).task);
  const completed = states.at(-1);
  expect(completed?.status).toBe('completed');
  const back = await client.pollTask(completed?.task ?? expect.fail(), never);
  expect(back.transition).toEqual({ from: 'completed', to: 'in_progress', legal: false });
  expect(back.end).toMatchObject({ outcome: 'bad_response', error_type: 'illegal_transition' });
});

test('a status of another name is told, and the task goes on', async () => {
  await plant('sem.unknown_status', { status: 'thinking', polls: 1 });
  const states = await follow((await submit(videoCall())).task);
  expect(states[0]).toMatchObject({ status: 'thinking', end: null, broken_rules: ['unknown_status'] });
  expect(states.at(-1)?.status).toBe('completed');
});

test('an error beside a status that is not failed breaks a rule', async () => {
  await plant('sem.error_without_failed');
  const states = await follow((await submit(imageJobCall('image_job'))).task);
  expect(states.flatMap(({ broken_rules }) => broken_rules)).toContain('error_without_failed');
});

test.each([
  ['sem.not_mp4', {}, 'bad_response', 'schema_mismatch'],
  ['sem.completed_no_result', { status: 409 }, 'http_error', 'http_4xx'],
] as const)('a completed video under %s %j: %s, %s', async (fault, parameters, outcome, error_type) => {
  await plant(fault, parameters);
  const states = await follow((await submit(videoCall())).task);
  const { end, content } = await client.downloadTask(states.at(-1)?.task ?? expect.fail(), never);
  expect(end).toMatchObject({ outcome, error_type });
  expect(content?.sound ?? false).toBe(false);
});

test('a result that is read before completion is refused', async () => {
  await plant('sem.queued_forever');
  const job = await submit(imageJobCall('image_job'));
  expect((await client.downloadTask(job.task, never)).rows[0]).toMatchObject({ kind: 'result', status: 409 });
});

test('a failed poll says nothing about the task', async () => {
  const { task } = await submit(videoCall());
  await plant('http.503');
  expect(await client.pollTask(task, never)).toMatchObject({
    status: null,
    end: null,
    task: { status: 'queued', reads: 1 },
  });
});

test('a submit that is refused leaves no task', async () => {
  await plant('http.402_quota');
  const { row, task } = await client.submitTask(videoCall(), never);
  expect(task).toBeNull();
  expect(row).toMatchObject({ error_type: 'insufficient_user_quota', job: { id: null, polls: 0 } });
});
