import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  chatBody,
  startTestGateway,
  type TestGateway,
} from '../../parts/gateway.test-support.ts';
import { callWith, journalOf } from '../fault-cases.test-support.ts';
import { HTTP_FAULTS } from './server-errors.ts';

const CHAT = '/v1/chat/completions';
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.running.close());

function chat(fault: string): Promise<Answer> {
  return callWith(gateway, fault, 'POST', CHAT, chatBody({ max_tokens: 3 }));
}

function read(fault: string, path: string): Promise<Answer> {
  return callWith(gateway, fault, 'GET', path);
}

/** The last fault line that the gateway wrote. */
async function lastFired(): Promise<object | undefined> {
  return (await journalOf(gateway)).faults.at(-1);
}

const INVALID = 'invalid_request_error';
const JOB = '/v1/images/jobs/imgjob_1';
const VIDEO = '/v1/videos/video_1';

const REFUSALS: readonly [
  id: string,
  path: string,
  status: number,
  code: string,
  type: string,
  text: string,
][] = [
  ['http.401', CHAT, 401, '', 'new_api_error', 'Invalid token'],
  ['http.402_quota', CHAT, 402, 'insufficient_user_quota', 'new_api_error', 'balance is $0'],
  ['http.403_quota', CHAT, 403, 'insufficient_user_quota', 'new_api_error', 'balance is $0.01'],
  ['http.403_denied', CHAT, 403, 'access_denied', 'new_api_error', 'blocked'],
  ['http.403_site', '/v1/usage', 403, 'key_site_mismatch', 'new_api_error', 'https://site2.'],
  ['http.404_model', CHAT, 404, 'model_not_found', INVALID, "'aspen-mini'"],
  ['http.404_job', JOB, 404, 'job_not_found', INVALID, 'No such image job'],
  ['http.404_task', VIDEO, 404, 'task_not_found', INVALID, 'No such video task'],
  ['http.409_not_ready', `${JOB}/result`, 409, 'job_not_completed', INVALID, 'not ready'],
  ['http.409_not_ready', `${VIDEO}/content`, 409, 'task_not_completed', INVALID, 'not ready'],
  ['http.409_conflict', '/v1/images/generations', 409, 'idempotency_conflict', INVALID, 'Idempotency-Key'],
  ['http.410_expired', `${JOB}/result`, 410, 'image_result_expired', INVALID, 'expired'],
  ['http.410_expired', `${VIDEO}/content`, 410, 'video_expired', INVALID, 'expired'],
  ['http.400_provider; text="too, odd"', CHAT, 400, '', INVALID, 'too, odd (request id: '],
  ['http.413', CHAT, 413, '', INVALID, 'request_too_large: the request exceeds'],
  ['http.422', CHAT, 422, '', INVALID, 'value_error: '],
  ['http.429_plain', CHAT, 429, '', 'new_api_error', 'request limit'],
  ['http.429_crowded', CHAT, 429, 'upstream_crowded', 'new_api_error', 'busy'],
  ['http.500', CHAT, 500, 'upstream_error', 'new_api_error', 'could not answer'],
  ['http.500_rejected', CHAT, 500, 'upstream_rejected', 'new_api_error', 'rejected'],
  ['http.502_unavailable', CHAT, 502, 'upstream_unavailable', 'new_api_error', 'unavailable'],
  ['http.503', '/v1/usage/requests', 503, 'upstream_error', 'new_api_error', 'unavailable'],
  ['http.504', CHAT, 504, 'upstream_error', 'new_api_error', 'in time'],
  ['http.520', '/v1/models', 520, 'upstream_error', 'new_api_error', 'invalid or empty'],
  ['http.524_html; body=json', CHAT, 524, 'upstream_error', 'new_api_error', 'in time'],
  ['http.529', CHAT, 529, 'upstream_error', 'new_api_error', 'overloaded'],
  ['http.chinese_message', CHAT, 503, 'upstream_error', 'new_api_error', '繁忙'],
  ['http.200_error_body', CHAT, 200, 'upstream_error', 'new_api_error', 'could not answer'],
];

describe('the error object of the interface, nothing charged, one journal line', () => {
  test.each(REFUSALS)('%s on %s', async (fault, path, status, code, type, text) => {
    const before = (await gateway.records()).length;
    const { calls } = await journalOf(gateway);
    const posted = path === CHAT || path === '/v1/images/generations';
    const answer = await callWith(
      gateway,
      fault,
      posted ? 'POST' : 'GET',
      path,
      posted ? chatBody() : undefined,
    );
    const id = answer.headers.get('x-request-id');
    expect({ status: answer.status, json: answer.json }).toMatchObject({
      status,
      json: { error: { code, type, param: '' } },
    });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.text).toContain(text);
    expect(answer.text).toContain(`(request id: ${id})`);
    expect(await gateway.records()).toHaveLength(before);
    expect((await journalOf(gateway)).calls).toEqual(calls);
    expect(await lastFired()).toMatchObject({ fault: fault.split(';')[0], request_id: id, delta: '0' });
  });
});

test('the catalogue of HTTP faults', () => {
  const ids = HTTP_FAULTS.map(({ id }) => id.replace('http.', '')).join(' ');
  expect(ids).toBe(
    [
      '401 401_html 402_quota 403_quota 403_denied 403_site',
      '404_model 404_job 404_task 409_not_ready 409_conflict 410_expired 400_provider 413 422',
      '429_plain 429_retry_after_s 429_retry_after_date 429_retry_after_90 429_retry_after_0',
      '429_retry_after_ms 429_empty_body 429_crowded',
      '500 500_rejected 502_unavailable 503 504 520 524_html 529',
      '500_code_missing 200_error_body 200_success_false chinese_message redirect no_request_id',
    ].join(' '),
  );
});

test('errors have the form of the endpoint: messages and account have their own', async () => {
  const messages = await callWith(gateway, 'http.503', 'POST', '/v1/messages', {
    model: 'aspen-mini',
    max_tokens: 2,
    messages: [{ role: 'user', content: 'x' }],
  });
  expect(messages.json).toMatchObject({
    type: 'error',
    error: { code: 'upstream_error' },
    request_id: messages.headers.get('request-id'),
  });
  const account = await read('http.503', '/api/user/self');
  expect(account).toMatchObject({ status: 503, json: { success: false, message: expect.any(String) } });
  const denied = await read('http.200_success_false', '/api/user/self');
  expect(denied).toMatchObject({ status: 200, json: { success: false } });
});

test.each([
  ['http.429_plain', null, null],
  ['http.429_retry_after_s; seconds=7', '7', null],
  ['http.429_retry_after_90', '90', null],
  ['http.429_retry_after_0', '0', null],
  ['http.429_retry_after_ms; milliseconds=250', null, '250'],
])('%s: Retry-After %s', async (fault, seconds, milliseconds) => {
  const { status, headers } = await chat(fault);
  expect([status, headers.get('retry-after'), headers.get('retry-after-ms')]).toEqual([
    429,
    seconds,
    milliseconds,
  ]);
});

test('Retry-After as a date lies that far behind the date of the answer', async () => {
  const { headers } = await chat('http.429_retry_after_date; seconds=40');
  const until = Date.parse(headers.get('retry-after') ?? '');
  const away = (until - Date.parse(headers.get('date') ?? '')) / 1000;
  expect(headers.get('retry-after')).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
  expect(away).toBeGreaterThanOrEqual(39);
  expect(away).toBeLessThanOrEqual(41);
});

test.each([
  ['http.401_html', 401],
  ['http.524_html', 524],
  ['http.503; body=html', 503],
])('%s is a page of an intermediary', async (fault, status) => {
  const answer = await chat(fault);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  expect(answer.text).toMatch(/^<!DOCTYPE html>/);
  expect(answer.text).toContain(String(status));
});

test.each([
  ['http.429_empty_body', 429],
  ['http.500; body=empty', 500],
])('%s has no body and no type', async (fault, status) => {
  const answer = await chat(fault);
  expect([answer.status, answer.text]).toEqual([status, '']);
  expect(answer.headers.get('content-length')).toBe('0');
  expect(answer.headers.get('content-type')).toBeNull();
});

test('http.500_code_missing has no error object', async () => {
  const answer = await chat('http.500_code_missing');
  expect(answer.status).toBe(500);
  expect(Object.keys(Object(answer.json))).toEqual(['message']);
});

test('http.redirect leads elsewhere', async () => {
  const { base_url, api_key } = gateway.running.ready;
  const answer = await fetch(base_url + CHAT, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${api_key}`,
      'content-type': 'application/json',
      'x-weighbridge-fault': 'http.redirect; location=/v1/elsewhere',
    },
    body: JSON.stringify(chatBody()),
  });
  expect([answer.status, answer.headers.get('location')]).toEqual([307, '/v1/elsewhere']);
});

describe('http.no_request_id', () => {
  const ids = ({ headers }: Answer) =>
    ['x-oneapi-request-id', 'x-request-id', 'request-id'].filter((name) => headers.has(name));

  test('the answer is right and has no id; the call is charged', async () => {
    const before = (await gateway.records()).length;
    const answer = await chat('http.no_request_id');
    expect(answer.status).toBe(200);
    expect(ids(answer)).toEqual([]);
    expect(await gateway.records()).toHaveLength(before + 1);
    expect(await lastFired()).toMatchObject({ fault: 'http.no_request_id', delta: '0' });
  });

  test('nor has a stream, nor the text of an error', async () => {
    const body = chatBody({ stream: true, max_tokens: 2 });
    const stream = await callWith(gateway, 'http.no_request_id', 'POST', CHAT, body);
    expect(stream.text).toContain('[DONE]');
    expect(ids(stream)).toEqual([]);
    const error = await chat('http.503, http.no_request_id');
    expect(error.status).toBe(503);
    expect(ids(error)).toEqual([]);
    expect(error.text).not.toContain('request id');
  });
});
