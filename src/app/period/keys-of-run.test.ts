import { expect, test } from 'vitest';
import { Credentials } from '../../config/credentials.ts';
import { keysOfRun } from './keys-of-run.ts';

// printf sk-one | sha256sum, and so on
const ONE = '456f1612bd25c6c8';
const TWO = '5e31278545505db1';

function given(apiKey: string, ...furtherKeys: readonly string[]): Credentials {
  return new Credentials({ apiKey, furtherKeys, accessToken: null, userId: null });
}

const readWith = (ofRun: readonly string[], credentials: Credentials) =>
  keysOfRun(ofRun, credentials).map(({ keyFp }) => keyFp);

test('a run is read with its own keys, each once, whatever others are given', () => {
  expect(readWith([ONE, TWO], given('sk-two', 'sk-other', 'sk-one'))).toEqual([TWO, ONE]);
  expect(readWith([ONE], given('sk-two', 'sk-one'))).toEqual([ONE]);
  expect(readWith([], given('sk-two'))).toEqual([TWO]);
  // A key may have been replaced: what it reads is told by the records.
  expect(readWith([ONE], given('sk-two'))).toEqual([TWO]);
});

test.each([
  [[ONE, TWO], given('sk-one')],
  [[ONE, TWO], given('sk-one', 'sk-other')],
  [[ONE], given('sk-two', 'sk-other')],
  [[], given('sk-two', 'sk-other')],
])('of the run of %j a missing key is told', (ofRun, credentials) => {
  expect(() => keysOfRun(ofRun, credentials)).toThrow('Not all keys of this run were given.');
});
