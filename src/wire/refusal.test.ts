import { expect, test } from 'vitest';
import { beginningOf, isHtmlPage, readRefusal } from './refusal.ts';

// The cases of TestReadError in xk6/wire: both must read alike.
test.each([
  [
    '{"error":{"message":"Busy (request id: A1)","type":"new_api_error","code":"upstream_crowded"}}',
    'Busy (request id: A1)',
    'new_api_error',
    'upstream_crowded',
    ['A1'],
  ],
  [
    '{"type":"error","error":{"type":"invalid_request_error","message":"No.","code":""},"request_id":"R9"}',
    'No.',
    'invalid_request_error',
    '',
    ['R9'],
  ],
  ['{"success":false,"message":"Unauthorized"}', 'Unauthorized', '', '', []],
  ['{"error":{"message":"x","code":429}}', 'x', '', '429', []],
  ['{"error":"gone"}', 'gone', '', '', []],
  [
    '{"error":{"message":"a (request id: up-1) b (Request ID: up-1) c (request id: gw-2) (request id: ) (request id: open"}}',
    'a (request id: up-1) b (Request ID: up-1) c (request id: gw-2) (request id: ) (request id: open',
    '',
    '',
    ['gw-2', 'up-1'],
  ],
  [' upstream connect error ', 'upstream connect error', '', '', []],
  ['', '', '', '', []],
])('%s', (body, message, type, code, request_ids) => {
  expect(readRefusal(body)).toMatchObject({ message, type, code, request_ids, html: false });
});

test('a page is told by its beginning, and shown on one line', () => {
  const page = '\uFEFF\n<!DOCTYPE HTML>\n<html>524</html>';
  expect(readRefusal(page)).toMatchObject({ html: true, shaped: false });
  expect(isHtmlPage('{"a":"<html>"}')).toBe(false);
  expect(beginningOf(` a\n b ${'é'.repeat(200)}`)).toBe(`a b ${'é'.repeat(116)}…`);
});
