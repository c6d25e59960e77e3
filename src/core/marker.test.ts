import { expect, it } from 'vitest';
import { MARKER_PATTERN, markerIn, markerOf, withoutMarkers } from './marker.ts';

const [first, second] = [markerOf('nonce', 'i0/chat/0.1/1'), markerOf('nonce', 'i0/chat/0.2/1')];

it('is a function of nonce and call id', () => {
  expect(first).toMatch(new RegExp(`^${MARKER_PATTERN.source}$`));
  expect(markerOf('nonce', 'i0/chat/0.1/1')).toBe(first);
  expect(new Set([first, second, markerOf('other', 'i0/chat/0.1/1')]).size).toBe(3);
  // A change here makes journals of finished runs name no call.
  expect(markerOf('n1', 'i0/chat/0/1')).toBe('wb9c9c26043a7c7136');
});

it('names the call that a prompt is of, not the turns before it', () => {
  expect(markerIn(`${first} hello`)).toBe(first);
  expect(markerIn(`${first} hello\nhi\n${second} and then?`)).toBe(second);
  expect(markerIn('wbnothing here')).toBeNull();
});

it('leaves the same prompt in every run', () => {
  expect(withoutMarkers(`${first} hello\n${second} more`)).toBe(
    withoutMarkers(`${second} hello\n${first} more`),
  );
});
