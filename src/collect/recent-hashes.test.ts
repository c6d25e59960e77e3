import { expect, test } from 'vitest';
import { ContentDigest, contentHash } from './content-digest.ts';
import { RecentHashes } from './recent-hashes.ts';

test('a content is known again within a generation, and its memory is given up after two', () => {
  const seen = new RecentHashes(1000);
  const hashOf = (index: number) => contentHash(`record ${index}`);
  for (let index = 0; index < 5000; index += 1) {
    expect(seen.has(hashOf(index))).toBe(false);
    seen.add(hashOf(index));
    if (index >= 1000) expect(seen.has(hashOf(index - 999))).toBe(true);
  }
  expect(seen.has(hashOf(0))).toBe(false);
});

test('the digest of a walk depends on its records and how often each came, not on their order', () => {
  const digestOf = (...texts: readonly string[]): string => {
    const digest = new ContentDigest();
    for (const text of texts) digest.add(contentHash(text));
    return digest.text();
  };
  expect(digestOf('a', 'b', 'c')).toBe(digestOf('c', 'a', 'b'));
  expect(digestOf('a', 'b')).not.toBe(digestOf('a', 'a', 'b'));
  expect(digestOf('a', 'b')).not.toBe(digestOf('a', 'c'));
});
