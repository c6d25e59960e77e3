import { expect, it } from 'vitest';
import { editDistance, nearestName } from './nearest-name.ts';

it.each([
  ['', '', 0],
  ['rate', 'rate', 0],
  ['rat', 'rate', 1],
  ['raet', 'rate', 1],
  ['kitten', 'sitting', 3],
  ['', 'abc', 3],
])('the distance of %j and %j is %d', (left, right, distance) => {
  expect(editDistance(left, right)).toBe(distance);
  expect(editDistance(right, left)).toBe(distance);
});

it.each([
  ['Rates', 'rate'],
  ['trafic', 'traffic'],
  ['ttft', 'ttft_ms'],
  ['zebra', null],
  ['x', null],
])('%j most likely means %j', (name, meant) => {
  expect(nearestName(name, ['rate', 'traffic', 'ttft_ms', 'stream'])).toBe(meant);
});
