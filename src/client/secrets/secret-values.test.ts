import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { FORMS, plantedSecret } from './planted.test-support.ts';
import { SecretValues } from './secret-values.ts';

function holding(...secrets: readonly string[]): SecretValues {
  const values = new SecretValues();
  for (const secret of secrets) values.add(secret);
  return values;
}

describe('SecretValues', () => {
  test.each(Object.entries(FORMS))('hides a secret written as %s, and its neighbours stay', (_, form) => {
    fc.assert(
      fc.property(plantedSecret, (secret) => {
        const masked = holding(secret).mask(`before ${form(secret)} after`);
        expect(masked).not.toContain(form(secret));
        expect(masked).toContain('***');
        expect(masked.startsWith('before ') && masked.endsWith(' after')).toBe(true);
      }),
      { seed: 7, numRuns: 100 },
    );
  });

  it('leaves of a basic header nothing that gives the password back', () => {
    for (const user of ['', 'a', 'ab', 'abc']) {
      const header = Buffer.from(`${user}:correct-horse`).toString('base64');
      const rest = holding('correct-horse').mask(header).replaceAll('*', '');
      expect(Buffer.from(rest, 'base64').toString()).not.toMatch(/corr|horse/);
    }
  });

  test.each(Object.entries(FORMS))(
    'hides two secrets, one within the other, written as %s among escapes',
    (_, form) => {
      fc.assert(
        fc.property(
          plantedSecret,
          fc.constantFrom('%', '%2', '\\\\', '&amp;', '&#', 'sk-', '=', ''),
          (secret, edge) => {
            const masked = holding(secret, `${secret}-more`).mask(`%41 &lt; ${edge} ${form(secret)} \\u0041`);
            expect(masked).toContain('***');
            expect(masked).not.toContain(form(secret));
          },
        ),
        { seed: 11, numRuns: 100 },
      );
    },
  );

  it('passes a long text without any in a moment', () => {
    const values = holding(...Array.from({ length: 20 }, (_, index) => `sk-${index}-0123456789abcdef`));
    const page = '<td data-title="State">chat &amp; %41 "sk-test-0123" \\u0041</td>'.repeat(10_000);
    const before = process.cpuUsage();
    expect(values.mask(page)).toBe(page);
    expect(process.cpuUsage(before).user).toBeLessThan(400_000);
  });

  it('hides the longer of two that begin alike, and one that came later', () => {
    const values = holding('token-123456', 'token-123456-long');
    expect(values.mask('token-123456-long token-123456 other-567890')).toBe('*** *** other-567890');
    values.add('other-567890');
    expect(values.mask('token-123456-long other-567890')).toBe('*** ***');
  });

  it('leaves a text without any alone, an empty set too', () => {
    const text = 'chat ok, 200, "quoted" \\ /v1/models %41';
    expect(holding().mask(text)).toBe(text);
    expect(holding('sk-0123456789').mask(text)).toBe(text);
    expect(holding('').mask(text)).toBe(text);
  });

  it('shows none when it is printed', () => {
    const values = holding('sk-0123456789');
    expect(
      JSON.stringify({ values }) + inspect(values, { showHidden: true, depth: 9 }) + String(values),
    ).not.toMatch(/sk-01/);
  });

  it('takes no long time for a text made to slow it down', () => {
    const values = holding('\\\\\\\\\\\\\\\\""//&&&&', '"\\"\\"\\"\\"\\"');
    const hostile = `${'\\'.repeat(10_000)}${'&amp;'.repeat(4_000)}${'%25'.repeat(6_000)}`;
    const before = process.cpuUsage();
    values.mask(hostile);
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });
});
