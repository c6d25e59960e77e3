import { expect, test } from 'vitest';
import { LinkSigner } from './link-signer.ts';

function parts(link: string): { path: string; exp: number; sig: string } {
  const url = new URL(link, 'http://x');
  return {
    path: url.pathname,
    exp: Number(url.searchParams.get('exp')),
    sig: url.searchParams.get('sig') ?? '',
  };
}

test('a link works until it expires, for its path and by its own signer only', () => {
  const signer = new LinkSigner();
  const { path, exp, sig } = parts(signer.sign('/files/a.png', 1000));
  expect(signer.verify(path, exp, sig, 999)).toBe(true);
  expect(signer.verify(path, exp, sig, 1000)).toBe(false);
  expect(signer.verify(path, exp + 1, sig, 999)).toBe(false);
  expect(signer.verify('/files/b.png', exp, sig, 999)).toBe(false);
  expect(signer.verify(path, exp, sig.slice(1), 999)).toBe(false);
  expect(signer.verify(path, exp, '', 999)).toBe(false);
  expect(new LinkSigner().verify(path, exp, sig, 999)).toBe(false);
});
