import { describe, expect, test } from 'vitest';
import type { JudgedCall, Reconciliation } from '../../contracts/reconciliation.ts';
import type { ReadLine } from '../../contracts/usage-lines.ts';
import { formatInstant } from '../../core/time.ts';
import { reordered } from '../../pricebook/reordered.test-support.ts';
import {
  archivedBook,
  bookDocument,
  brief,
  errorRow,
  IMAGE_RECORD,
  imageRow,
  inputOf,
  judge,
  recordOf,
  START_MS,
  TEXT_MODEL,
  textRow,
} from '../reconcile.test-support.ts';
import { reconcile } from '../reconcile.ts';

describe('the price book', () => {
  /** Reads of the book at these seconds after the start, all of them of one book but the last one named. */
  function bookReads(seconds: readonly number[], last = 'a'.repeat(64)): readonly ReadLine[] {
    return seconds.map((second, index) =>
      bookRead(START_MS + second * 1000, index === seconds.length - 1 ? last : 'a'.repeat(64)),
    );
  }

  /** Two calls at the start whose records name a version that no read of the book saw. */
  function ofUnknownVersion(reads: readonly ReadLine[], versions: readonly string[] = []): Reconciliation {
    const named = ['v0', 'v0', ...versions].map((pricing_version, index) => ({
      name: `r${index}`,
      pricing_version,
    }));
    const records = named.map(({ name, pricing_version }) => recordOf(name, { pricing_version }));
    const input = inputOf({ rows: named.map(({ name }) => textRow(name)), sweeps: [{ records }] });
    return reconcile({ ...input, reads: [...reads, ...input.reads] });
  }

  test('a version that was not archived cannot be checked, and accuses nobody', () => {
    for (const reads of [
      [],
      // Between two reads that lie further apart a version may come and go.
      bookReads([-3, -1, 2.5]),
      // At a change, seen or not, so may one.
      bookReads([-3, -1, 1], 'b'.repeat(64)),
      // Nothing was read before the record.
      bookReads([2, 3]),
    ]) {
      const result = ofUnknownVersion(reads);
      expect(brief(result)).toEqual([]);
      expect(result.coverage.not_checkable).toBe(1);
      expect(result.calls.map(({ verdict }) => verdict)).toEqual(['not_checkable', 'not_checkable']);
      expect(result.inconclusive).toContain('nothing could be checked');
    }
  });

  test('a version that reads every two seconds prove was never served: one finding, however many records', () => {
    const result = ofUnknownVersion(bookReads([-3, -1, 1]));
    expect(brief(result)).toEqual(['price_book_incoherent unknown_version open']);
    // Words that no record shares with the book may be the target's own.
    expect(result.findings[0]?.severity).toBe('S4');
    expect(ofUnknownVersion(bookReads([-3, -1, 1]), ['v1']).findings[0]?.severity).toBe('S2');
    expect(result.coverage.not_checkable).toBe(1);
  });

  describe('an edition without a date', () => {
    const dear = bookDocument({ pricing_version: 'v2', adjustments: [{ name: 'up', factor: '2' }] });
    const books = [archivedBook(), archivedBook(dear, 'b'.repeat(64))];
    /** What is said of a call at second 0 that the old edition priced; `b` tells at which reads the new one was served. */
    function said(served: readonly (readonly [second: number, hash: 'a' | 'b'])[]): readonly string[] {
      const sweeps = [{ records: [recordOf('a', { pricing_version: 'v1' })] }];
      const input = inputOf({ rows: [textRow('a')], books, sweeps });
      const reads = served.map(([second, hash]) => bookRead(START_MS + second * 1000, hash.repeat(64)));
      return brief(reconcile({ ...input, reads: [...reads, ...input.reads] }));
    }

    test('that two reads before the call and one after it showed replaced is stale', () => {
      const stale = ['stale_price_version version:v1 -0.0028'];
      expect(
        said([
          [-60, 'a'],
          [-9, 'b'],
          [-5, 'b'],
          [4, 'b'],
        ]),
      ).toEqual(stale);
    });

    test.each([
      [
        [
          [-60, 'a'],
          [-5, 'b'],
          [4, 'b'],
        ],
      ],
      [
        [
          [-60, 'a'],
          [-9, 'b'],
          [-5, 'b'],
        ],
      ],
      [
        [
          [-60, 'a'],
          [-9, 'b'],
          [-5, 'b'],
          [4, 'a'],
        ],
      ],
      [
        [
          [-9, 'b'],
          [-5, 'b'],
          [4, 'b'],
        ],
      ],
      [
        [
          [-5, 'b'],
          [4, 'b'],
          [9, 'a'],
          [12, 'a'],
        ],
      ],
    ] as const)('that fewer reads show, or not all, may still be in force: %j', (served) => {
      expect(said(served)).toEqual([]);
    });
  });

  test('a record is priced by the version it names', () => {
    const dear = bookDocument({ pricing_version: 'v2', adjustments: [{ name: 'up', factor: '2' }] });
    const books = [archivedBook(), archivedBook(dear, 'b'.repeat(64))];
    const of = (pricing_version: string, amount: string): Reconciliation =>
      judge({
        rows: [textRow('a')],
        books,
        sweeps: [
          {
            records: [recordOf('a', { pricing_version, amount, reserved_amount: '0', refunded_amount: '0' })],
          },
        ],
      });
    expect(brief(of('v1', '0.0028'))).toEqual([]);
    expect(brief(of('v2', '0.0056'))).toEqual([]);
    expect(of('v2', '0.0028').gated).toBe(true);
  });

  test('other prices under the same version are incoherent', () => {
    const changed = bookDocument({ adjustments: [{ name: 'up', factor: '2' }] });
    const result = judge({
      rows: [textRow('a')],
      books: [archivedBook(), archivedBook(changed, '0'.repeat(64))],
      sweeps: [{ records: [recordOf('a')] }],
    });
    expect(brief(result)).toContain('price_book_incoherent version_reused open');
  });

  test('the same prices in another order under the same version are one book', () => {
    const result = judge({
      rows: [textRow('a')],
      books: [archivedBook(), archivedBook(reordered(bookDocument()), '0'.repeat(64))],
      sweeps: [{ records: [recordOf('a')] }],
    });
    expect(brief(result)).toEqual([]);
    expect(result.calls.map(({ verdict }) => verdict)).toEqual(['to_the_digit']);
  });

  test('a charge for a model without a price is told and accuses nobody: books may leave models out', () => {
    const result = judge({
      rows: [textRow('a', { model: 'unlisted' })],
      sweeps: [{ records: [recordOf('a', { model: 'unlisted' })] }],
    });
    expect(brief(result)).toEqual(['price_book_incoherent unpriced_model_charged open']);
    expect(result).toMatchObject({ gated: false, inconclusive: ['nothing could be checked'] });
    expect(result.money).toMatchObject({ difference: '0', open: '0.0028' });
  });

  test('an unreadable book is one finding and no conclusion', () => {
    const books = [archivedBook({ prices: 'in shells' })];
    const result = judge({ rows: [textRow('a')], books, sweeps: [{ records: [recordOf('a')] }] });
    expect(result.findings.map((finding) => finding.class)).toEqual(['price_book_unreadable']);
    expect(result.inconclusive).toEqual(['the price book could not be read', 'nothing could be checked']);
    expect(result.gated).toBe(false);
    expect(result.groups.map(({ gates }) => gates)).toEqual([false]);
    expect(
      judge({ rows: [textRow('a')], books: [], sweeps: [{ records: [recordOf('a')] }] }).inconclusive,
    ).toContain('no price book was read');
  });

  test('an unreadable book beside one that was read leaves no conclusion either', () => {
    const books = [archivedBook(), archivedBook({ prices: 'in shells' }, 'b'.repeat(64))];
    const result = judge({ rows: [textRow('a')], books, sweeps: [{ records: [recordOf('a')] }] });
    expect(result.gated).toBe(false);
    expect(result.inconclusive).toEqual(['the price book could not be read']);
  });

  test('too little checked money is inconclusive', () => {
    const result = judge({
      rows: [textRow('a'), imageRow('b', { units: null })],
      sweeps: [{ records: [recordOf('a'), recordOf('b', IMAGE_RECORD)] }],
    });
    expect(result.gated).toBe(false);
    expect(result.inconclusive).toEqual([
      'too little could be checked to judge: only 12.3 % of the charged money; 87.7 % could not: the number of images is not known',
    ]);
  });
});

function bookRead(atMs: number, sha256: string): ReadLine {
  const [line] = inputOf({ sweeps: [{ records: [] }] }).reads;
  if (line === undefined) throw new Error('a sweep has reads');
  return { ...line, read: 'book', sha256, read_at: formatInstant(atMs), window: null, count: null };
}

describe('a book of which not all was read', () => {
  const partial = archivedBook(bookDocument({ models: [{ ...textModel(), x_extension: { fee: 1 } }] }));

  function textModel(): object {
    return {
      id: TEXT_MODEL,
      kind: 'text',
      unit: 'per_1m_tokens',
      input: '2',
      output: '8',
      cache_read: '0.5',
      max_output_tokens: 4000,
    };
  }

  /** `count` calls, of which the first `wrong` are charged a millionth of a USD too much. */
  function charged(count: number, wrong: number): Reconciliation {
    const names = Array.from({ length: count }, (_, index) => `c${index}`);
    return judge({
      rows: names.map((name) => textRow(name)),
      books: [partial],
      sweeps: [
        {
          records: names.map((name, index) =>
            recordOf(name, index < wrong ? { amount: '0.002801', refunded_amount: '0.007199' } : {}),
          ),
        },
      ],
    });
  }

  test('counts to the digit where 95 % of at least 20 rows equal its price, and then accuses the rest', () => {
    const result = charged(20, 1);
    expect(result.calls.filter(({ verdict }) => verdict === 'to_the_digit')).toHaveLength(19);
    expect(result.calls.filter(({ verdict }) => verdict === 'finding')).toHaveLength(1);
    expect(result.inconclusive).toEqual([]);
  });

  test.each([
    [19, 0],
    [20, 2],
    [20, 20],
  ])('of %i rows, %i of them other, it bears the others out and accuses none', (count, wrong) => {
    const result = charged(count, wrong);
    expect(result.findings.map((finding) => finding.class)).toEqual(['price_book_unreadable']);
    expect(result.findings[0]?.explanation).toContain(
      'models[].x_extension: unknown key that holds a figure',
    );
    expect(result.inconclusive.length).toBe(wrong > 0 ? 1 : 0);
    const isBorneOut = ({ verdict }: JudgedCall): boolean => verdict === 'within_bounds';
    expect(result.calls.filter(isBorneOut)).toHaveLength(count - wrong);
    expect(result.calls.filter(({ verdict }) => verdict === 'not_checkable')).toHaveLength(wrong);
    expect(result.gated).toBe(false);
  });
});

describe('a book that does not tell its rounding', () => {
  const silent = archivedBook(bookDocument({ rounding: null }));

  /** Calls with so many output tokens at $8 a million, charged these amounts. */
  function charged(...rows: readonly (readonly [number, string])[]): Reconciliation {
    const usage = { input: 1000, output: 100, cache_read: 0, cache_write: 0, reasoning: null, raw: {} };
    return judge({
      rows: rows.map(([output], index) => textRow(`c${index}`, { usage: { ...usage, input: 1, output } })),
      books: [silent],
      sweeps: [
        {
          records: rows.map(([output, amount], index) =>
            recordOf(`c${index}`, {
              amount,
              input_tokens: 1,
              output_tokens: output,
              reserved_amount: '0',
              refunded_amount: '0',
            }),
          ),
        },
      ],
    });
  }

  test('accuses nobody by a rounding of ours: what one rule gives is consistent, within bounds', () => {
    // $0.00001 and $0.000018, in steps of 0.000004, upwards: no rule of ours; within the widest rounding of each.
    const result = charged([1, '0.000011'], [2, '0.000019']);
    expect(result.findings).toEqual([]);
    expect(new Set(result.calls.map(({ verdict }) => verdict))).toEqual(new Set(['within_bounds']));
  });

  /** Many calls whose exact price, in micro-dollars, this charges. */
  function many(charge: (micro: number, index: number) => number): Reconciliation {
    const rows = Array.from({ length: 60 }, (_, index) => 7 + ((index * 7919) % 997));
    return charged(
      ...rows.map((output, index) => [output, (charge(2 + 8 * output, index) / 1e8).toFixed(8)] as const),
    );
  }
  /** In units of $0.00000001, as `many` wants it. */
  const hundreds = (micro: number, mode: 'ceil' | 'floor' | 'round'): number =>
    Math[mode](micro / 100) * 10_000;

  test.each(['ceil', 'floor', 'round'] as const)(
    'a grid of $0.0001 (%s) that its charges show accuses nobody',
    (mode) => {
      const result = many((micro) => hundreds(micro, mode));
      expect(result.findings).toEqual([]);
      expect(result.money).toMatchObject({ certain_over: '0', certain_under: '0' });
      expect(result.inconclusive).toHaveLength(1);
    },
  );

  test.each([
    [50_000, '0.0005'],
    [54_321, '0.00054321'],
  ])('a grid that charges show hides no wrong one, on it or off it: %i', (more, delta_exact) => {
    const result = many((micro, index) => hundreds(micro, 'ceil') + (index === 30 ? more : 0));
    expect(result.findings).toMatchObject([{ direction: 'over', delta_exact, severity: 'S1' }]);
  });

  test('one factor on every charge is one finding below the gate, whatever the rounding', () => {
    for (const charge of [(micro: number) => micro * 85, (micro: number) => Math.ceil(micro * 0.85) * 100]) {
      const { findings, gated } = many(charge);
      expect(new Set(findings.map(({ hypothesis }) => hypothesis?.name))).toEqual(new Set(['factor:0.85']));
      expect(findings.filter(({ group }) => group === null)).toHaveLength(1);
      expect(gated).toBe(false);
    }
  });

  test('a factor that differs from charge to charge is none', () => {
    const { findings, gated } = many((micro, index) => Math.round(micro * (50 + ((index * 37) % 50))));
    expect(new Set(findings.map((finding) => finding.class))).toEqual(new Set(['amount_mismatch']));
    expect(gated).toBe(true);
  });

  test('what no rounding explains is still wrong', () => {
    const result = charged([1, '0.00001'], [2, '0.000018'], [3, '0.0003']);
    expect(result.calls.map(({ verdict }) => verdict).sort()).toEqual([
      'finding',
      'within_bounds',
      'within_bounds',
    ]);
    expect(result.coverage.to_the_digit).toBe(0);
  });
});

describe('a record that vanishes', () => {
  const vanished = (result: string): readonly unknown[] =>
    judge({
      rows: [textRow('a'), result === 'completed' ? textRow('b') : errorRow('b', 500)],
      sweeps: [{ records: [recordOf('a'), recordOf('b', { result })] }, { records: [recordOf('a')] }],
    }).findings.filter(({ rule }) => rule === 'vanished');

  test('is told below the gate where its call did not complete', () => {
    expect(vanished('failed')).toMatchObject([{ severity: 'S4' }]);
    expect(vanished('completed')).toMatchObject([{ severity: 'S2' }]);
  });
});

describe('a record that spells its model in another way', () => {
  const spelled = { model: TEXT_MODEL.toUpperCase() };

  test('has the price of the model that is meant', () => {
    const result = judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a', spelled)] }] });
    expect(brief(result)).toEqual([]);
    expect(result.calls.map(({ verdict }) => verdict)).toEqual(['to_the_digit']);
  });

  test('is not accused without a price of its own, and no other model is excused', () => {
    const alone = (model: string): readonly string[] =>
      brief(judge({ basis: 'records', rows: [], sweeps: [{ records: [recordOf('a', { model })] }] }));
    expect(alone(spelled.model)).toEqual([]);
    expect(alone('text-2')).not.toEqual([]);
  });
});
