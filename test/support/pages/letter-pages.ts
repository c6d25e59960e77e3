import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { strFromU8, unzipSync } from 'fflate';
import { expect } from 'vitest';
import { NO_TERMS } from '../../../src/contracts/billing-terms.ts';
import { completenessOf } from '../../../src/contracts/reconciliation.test-support.ts';
import { inputOf, recordOf, textRow } from '../../../src/reconcile/reconcile.test-support.ts';
import { reconcile } from '../../../src/reconcile/reconcile.ts';
import { bundle } from '../../../src/report/claims/bundle.ts';
import { claimable } from '../../../src/report/claims/claimable.ts';
import type { ShownPage } from './shown-page.ts';

interface LetterShape {
  readonly twice: number;
  readonly dear: number;
  readonly amount: 'net' | 'auto';
}

/** letter.html of a bundle: `twice` requests have two records, `dear` are charged above the book, one is charged too little. */
function letterOf({ twice, dear, amount: reading }: LetterShape): string {
  const calls = Array.from({ length: twice + dear + 1 }, (_, index) => `0123456789abcdef-${index}`);
  const input = inputOf({
    terms: { readings: { ...NO_TERMS.readings, amount: reading } },
    rows: calls.map((name) => textRow(name)),
    sweeps: [
      {
        records: calls.flatMap((name, index) => {
          if (index < twice) return [recordOf(name), recordOf(name, { id: `rec-again-${name}` })];
          const amount = index < twice + dear ? '0.0038' : '0.0027';
          return [recordOf(name, { amount, refunded_amount: index < twice + dear ? '0.0062' : '0.0073' })];
        }),
      },
    ],
  });
  const sha256 = '0123456789abcdef'.repeat(4);
  const made = bundle({
    result: {
      run_id: '20261120T120000Z-4711',
      target: 'https://gateway.with-a-long-name.example',
      period: { start: '2026-11-20T12:00:00.000Z', end: '2026-11-20T12:01:00.000Z' },
      basis: 'ledger',
      tool: { weighbridge: '0.1.0', k6: null },
      completeness: completenessOf({ last_read_at: '2026-11-20T12:01:00.000Z' }),
    },
    claimable: claimable('20261120T120000Z-4711', reconcile(input)),
    books: [
      {
        name: `${sha256}.json`,
        own: false,
        sha256,
        id: 'pb',
        version: 'v1',
        bytes: new Uint8Array([123, 125]),
      },
    ],
    reads: input.reads,
    records: input.records,
    mask: (text) => text,
  });
  return strFromU8(
    unzipSync(made.zip)[`weighbridge-${made.kind}-${made.id}/letter.html`] ?? new Uint8Array(),
  );
}

/** Of an empty run there is none: without a claim no bundle is written. */
export function letterPages(parent: string): readonly ShownPage[] {
  const letters = [
    {
      name: 'question',
      shape: { twice: 1, dear: 0, amount: 'auto' },
      heading: /^Question [0-9a-f]{12}: 1 charge that we compute otherwise$/,
    },
    {
      name: 'claim',
      shape: { twice: 80, dear: 40, amount: 'net' },
      heading: /^Claim [0-9a-f]{12}: \$\d\.\d+ charged too much$/,
    },
  ] as const;
  return letters.map(({ name, shape, heading }) => ({
    name: `letter-${name}`,
    address() {
      const file = join(parent, `letter-${name}.html`);
      writeFileSync(file, letterOf(shape));
      return pathToFileURL(file).href;
    },
    async expected(page) {
      expect(await page.locator('h1').innerText()).toMatch(heading);
      expect(await page.locator('#left-out li').count()).toBeGreaterThan(0);
    },
  }));
}
