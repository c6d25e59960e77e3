import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { KeyScrubber } from './key-scrubber.ts';

const KEY = 'sk-planted/secret+0123456789"abcdef';
const scrub = new KeyScrubber([KEY]);

test('the key is taken out of sentences, names and every text of a JSON value', () => {
  const form = Buffer.from(`Bearer ${KEY}`).toString('base64');
  expect(scrub.text(`a ${form} b`)).toMatch(/^a QmVhcmVyI\[credential\] b$/);
  expect(scrub.name(form)).toBe('QmVhcmVyI[credential]');
  expect(scrub.holds(form)).toBe(true);
  expect(JSON.stringify(scrub.json({ [form]: [{ x: form, n: 1 }] }))).toBe(
    '{"QmVhcmVyI[credential]":[{"x":"QmVhcmVyI[credential]","n":1}]}',
  );
});

test('a short key is taken out of sentences, and of names that it must be', () => {
  const short = new KeyScrubber(['chat', 'sk-1234']);
  expect(short.text('no such key: chat')).toBe('no such key: [credential]');
  expect(short.name('chat')).toBe('chat');
  expect(short.json({ chat: 'chat', key: 'sk-1234' })).toEqual({ chat: 'chat', key: '[credential]' });
  expect([short.holds('chat'), short.holds('task-1234'), short.holds('sk-1234')]).toEqual([
    false,
    false,
    true,
  ]);
});

test('a text that was cut inside the key does not keep its beginning', () => {
  for (let size = 4; size < KEY.length; size += 1)
    expect(scrub.text(`told ${KEY.slice(0, size)}`)).toBe('told [credential]');
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
  expect(both.text('told token-01')).toBe('told [credential]');
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
