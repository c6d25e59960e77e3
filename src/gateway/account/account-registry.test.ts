import { expect, test } from 'vitest';
import { AccountRegistry, keyFingerprint } from './account-registry.ts';

test('a new access token works at once and the old one no more', () => {
  const registry = new AccountRegistry();
  const { account, accessToken } = registry.addAccount({ balance: 1n });
  const other = registry.addAccount({ balance: 1n });
  expect(registry.accountOfToken(accessToken)).toBe(account);
  const next = registry.regenerateToken(account);
  expect(next).not.toBe(accessToken);
  expect(next.startsWith('sk-')).toBe(false);
  expect([registry.accountOfToken(accessToken), registry.accountOfToken(next)]).toEqual([null, account]);
  expect(registry.accountOfToken(other.accessToken)).toBe(other.account);
});

test('neither a key nor a token can be read back', () => {
  const registry = new AccountRegistry();
  const { account, accessToken } = registry.addAccount({ balance: 1n });
  const { key, text } = registry.addKey({ account });
  const kept = JSON.stringify([...registry.state(), account, key], (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  expect(kept).toContain(key.hash);
  expect(kept).not.toContain(text);
  expect(kept).not.toContain(accessToken);
  expect(key.fingerprint).toBe(keyFingerprint(text));
  expect([registry.keyOfFingerprint(key.fingerprint), registry.keyOfOrdinal(1)]).toEqual([key, key]);
});

test('credit is added and taken away, below zero too; a receipt has a form and comes once', () => {
  const registry = new AccountRegistry();
  const { account } = registry.addAccount({ balance: 5n });
  registry.addCredit(account, 10n, 'rcpt_1');
  registry.addCredit(account, -20n);
  expect(account.balance).toBe(-5n);
  expect(() => registry.addCredit(account, 1n, 'rcpt_1')).toThrow('has rcpt_1');
  for (const receipt of ['20261121004834000001abcdefgh', 'rcpt_', `rcpt_${'x'.repeat(60)}`, 'rcpt_a b']) {
    expect(() => registry.addCredit(account, 1n, receipt)).toThrow('expected a receipt');
  }
  registry.addCredit(account, 1n, `rcpt_${'x'.repeat(59)}`);
  expect(account.balance).toBe(-4n);
});
