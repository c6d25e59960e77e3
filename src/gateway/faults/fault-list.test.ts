import { expect, test } from 'vitest';
import { ENDPOINTS, PAID_ENDPOINTS } from '../http/endpoints.ts';
import { listFaults } from './fault-list.ts';

const LIST = listFaults();

function listed(id: string) {
  return LIST.find((fault) => fault.id === id);
}

test('every fault has a sentence, hits something, and describes each parameter', () => {
  for (const { id, summary, endpoints, parameters } of LIST) {
    expect({ id, summary }).toEqual({ id, summary: expect.stringMatching(/^[A-Z].*\.$/) });
    expect({ id, hit: endpoints.length > 0 }).toEqual({ id, hit: true });
    const undescribed = parameters.filter(({ description }) => description === '').map(({ name }) => name);
    expect({ id, undescribed }).toEqual({ id, undescribed: [] });
  }
});

test('ids are those of the five families, each once', () => {
  const ids = LIST.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^(net|http|sem|bill|cache)\.[a-z0-9_]+$/);
});

test.each([
  ['http.503', 'every request', ENDPOINTS],
  ['http.404_model', 'every paid call', PAID_ENDPOINTS],
  ['net.eof_clean', 'streams', ['/v1/chat/completions', '/v1/responses', '/v1/messages']],
  ['net.bad_length', 'every request, streams excepted', ENDPOINTS],
  ['http.200_success_false', '`/api/user/self`', ['/api/user/self']],
])('%s hits %s', (id, hits, endpoints) => {
  expect(listed(id)).toMatchObject({ hits, endpoints });
});

test('parameters come with what they take and their defaults', () => {
  expect(listed('net.bad_length')?.parameters).toMatchObject([
    { name: 'announced', takes: 'larger, smaller', default: 'larger' },
    { name: 'by', takes: 'integer 1 to 1000000', default: 16 },
  ]);
  expect(listed('net.eof_clean')?.parameters).toMatchObject([
    { name: 'after_events', takes: 'integer 0 to 1000000', default: null },
  ]);
  expect(listed('http.redirect')?.parameters).toMatchObject([
    { takes: 'text of at most 300 characters', default: '/v1/moved' },
  ]);
});
