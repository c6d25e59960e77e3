import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FaultSubject } from '../hooks/fault-definition.ts';
import { ApiError } from '../http/api-error.ts';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { callWith, journalOf } from './fault-cases.test-support.ts';
import { readFaultHeader } from './read-fault-header.ts';

const CHAT = '/v1/chat/completions';

const STREAM: FaultSubject = {
  endpoint: CHAT,
  kind: 'chat',
  model: 'aspen-mini',
  keyFingerprint: '0123456789abcdef',
  keyOrdinal: 1,
  stream: true,
};
const WHOLE: FaultSubject = { ...STREAM, stream: false };

test.each([
  ['net.eof_clean; after_events=3', [['net.eof_clean', { after_events: 3 }]]],
  [
    ' net.eof_clean;after_events=3 , http.404_model',
    [
      ['net.eof_clean', { after_events: 3 }],
      ['http.404_model', {}],
    ],
  ],
  ['http.422; text="no, not; this"', [['http.422', { text: 'no, not; this' }]]],
  ['http.422; text=17', [['http.422', { text: '17' }]]],
  ['net.keepalive_race; race=false', [['net.keepalive_race', { idle_ms: 5000, race: false }]]],
])('%s', (text, expected) => {
  expect(readFaultHeader(text, STREAM).map(({ fault, parameters }) => [fault, parameters])).toEqual(expected);
});

describe('refuses, and says what was expected', () => {
  test.each([
    ['', STREAM, 'expected a fault id at character 1'],
    ['net.eof_claen', STREAM, 'unknown fault net.eof_claen; did you mean net.eof_clean?'],
    ['sabotage', STREAM, 'unknown fault sabotage; weighbridge gateway --list-faults names them all'],
    ['net.eof_clean', STREAM, 'net.eof_clean: after_events: must be'],
    ['net.eof_clean; after_events=-1', STREAM, 'must be at least 0, found "-1"'],
    ['net.eof_clean; after_events=some', STREAM, 'found "some"'],
    ['net.eof_clean; events=1', STREAM, 'unknown parameter events; known: after_events'],
    ['http.404_model; a=1', STREAM, 'unknown parameter a; it has none'],
    ['net.eof_clean; after_events=1; after_events=2', STREAM, 'after_events once'],
    ['net.eof_clean; after_events=1', WHOLE, `net.eof_clean cannot hit ${CHAT}, not streamed`],
    ['net.bad_length', STREAM, `net.bad_length cannot hit ${CHAT}, streamed`],
    ['http.500 http.503', STREAM, 'a comma or the end at character 9'],
    ['http.500,', STREAM, 'expected a fault id at character 10'],
  ])('%s', (text, subject, message) => {
    const refusal = (() => {
      try {
        return readFaultHeader(text, subject);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(ApiError);
    expect(refusal).toMatchObject({ status: 400, code: 'invalid_fault_header' });
    expect(String(refusal)).toContain(message);
  });
});

describe('on a gateway', () => {
  const running: TestGateway[] = [];
  let planned: TestGateway;
  let deaf: TestGateway;

  beforeAll(async () => {
    const everyCall = { fault: 'http.429_plain', when: { probability: 1 }, parameters: {} };
    planned = await startTestGateway({ faults: { faults: [everyCall] } });
    deaf = await startTestGateway({ faultHeader: false });
    running.push(planned, deaf);
  });
  afterAll(() => Promise.all(running.map((gateway) => gateway.running.close())));

  test('the header stands in the place of the plan for its request, and the plan does not count it', async () => {
    const asked = await callWith(planned, 'http.503', 'POST', CHAT, chatBody());
    const other = await planned.call('POST', CHAT, chatBody());
    expect([asked.status, other.status]).toEqual([503, 429]);
    const { faults } = await journalOf(planned);
    expect(faults.slice(0, 2)).toMatchObject([
      { fault: 'http.503', ordinal: 1, parameters: { charge: 'none', body: 'json', after_s: 30 } },
      { fault: 'http.429_plain', ordinal: 1 },
    ]);
  });

  test('repeated headers are one list', async () => {
    const { base_url, api_key } = planned.running.ready;
    const headers = new Headers({ authorization: `Bearer ${api_key}`, 'content-type': 'application/json' });
    headers.append('x-weighbridge-fault', 'http.no_request_id');
    headers.append('x-weighbridge-fault', 'http.504');
    const body = JSON.stringify(chatBody());
    const answer = await fetch(base_url + CHAT, { method: 'POST', headers, body });
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([504, null]);
  });

  test('a wrong header is the 400 of the interface, and nothing is charged', async () => {
    const answer = await callWith(planned, 'http.5o3', 'POST', CHAT, chatBody());
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      error: { type: 'invalid_request_error', code: 'invalid_fault_header' },
    });
    expect(answer.text).toContain('did you mean http.503?');
    const read = await callWith(planned, 'bill.double_charge', 'GET', '/v1/models');
    expect(read.text).toContain('bill.double_charge cannot hit /v1/models');
    expect(await journalOf(planned)).toMatchObject({ calls: [] });
  });

  test('only text calls stream: a cut cannot hit an image, whatever its body says', async () => {
    const body = { model: 'lumen-image', prompt: 'x', stream: true };
    const cut = 'net.eof_clean; after_events=1';
    const answer = await callWith(planned, cut, 'POST', '/v1/images/generations', body);
    expect(answer.text).toContain('cannot hit /v1/images/generations, not streamed');
  });

  test('it needs a valid key like the call itself', async () => {
    const answer = await planned.call('POST', CHAT, chatBody(), {
      authorization: 'Bearer sk-wrong',
      'x-weighbridge-fault': 'http.503',
    });
    expect(answer.status).toBe(401);
  });

  test('a gateway without it does not look at it', async () => {
    const answer = await callWith(deaf, 'no such fault', 'GET', '/v1/models');
    expect(answer.status).toBe(200);
  });
});
