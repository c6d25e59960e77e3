import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { KeyScrubber } from './key-scrubber.ts';

const KEY = 'sk-planted/secret+0123456789"abcdef';
const scrub = new KeyScrubber([KEY]);
const base64 = Buffer.from(KEY).toString('base64');

test.each([
  ['as it is', KEY],
  ['in JSON', JSON.stringify(KEY).slice(1, -1)],
  ['in a link', encodeURIComponent(KEY)],
  ['in base64', base64],
  ['in base64 for links', Buffer.from(KEY).toString('base64url')],
  ['in percent signs alone', [...KEY].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')],
  ['in numbers of HTML', [...KEY].map((char) => `&#${char.charCodeAt(0)};`).join('')],
  ['in hex', Buffer.from(KEY).toString('hex')],
  ['in upper hex', Buffer.from(KEY).toString('hex').toUpperCase()],
])('the key is taken out %s', (_, form) => {
  expect(scrub.text(`a ${form} b`)).toMatch(/^a \[credential\]=* b$/);
  expect(scrub.holds(form)).toBe(true);
  expect(JSON.stringify(scrub.json({ [form]: [{ x: form }] }))).not.toContain(form);
});

test.each(['Bearer ', 'me:', 'u:', 'me:a'])('nothing of a key behind %j in base64 stays', (before) => {
  const kept = scrub.text(`echo ${Buffer.from(`${before}${KEY}`).toString('base64')}`) ?? '';
  expect(kept).toContain('[credential]');
  expect(Buffer.from(kept.replace('echo ', '').replace('[credential]', ''), 'base64').toString()).not.toMatch(
    /sk-|planted|cdef/,
  );
});

test('a text that was cut inside the key does not keep its beginning', () => {
  for (let size = 4; size < KEY.length; size += 1)
    expect(scrub.text(`told ${KEY.slice(0, size)}`)).toBe('told ');
  expect(scrub.text('told sk-')).toBe('told sk-');
});

test('many keys do not push a part of one into what is kept', () => {
  expect(scrub.text(KEY.repeat(40).slice(0, 1000))).not.toContain('planted');
  expect(Array.from(scrub.text('é'.repeat(9999)) ?? '')).toHaveLength(300);
});

test('each of several is taken out, the longer first where one holds another', () => {
  const both = new KeyScrubber(['token-0123456789', KEY, `${KEY}-longer`]);
  const told = both.text(
    `${KEY}-longer ${KEY} token-0123456789 ${Buffer.from('token-0123456789').toString('base64url')}.`,
  );
  expect(told).toBe('[credential] [credential] [credential] [credential].');
  expect(both.text('told token-01')).toBe('told ');
});

test('without a key texts stay', () => {
  const none = new KeyScrubber([]);
  expect([none.text('sk-planted'), none.text(''), none.text(null), none.json({ a: 1 })]).toEqual([
    'sk-planted',
    null,
    null,
    { a: 1 },
  ]);
});
