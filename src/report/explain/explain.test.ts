import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FAULT_CLASSES } from '../../contracts/fault-class.ts';
import { cutRow, judge, recordOf, textRow, VIDEO_RECORD } from '../../reconcile/reconcile.test-support.ts';
import { type ExplainInput, explain, explainableIds } from './explain.ts';
import { REFUTED_BY } from './explain-row.ts';
import { explanationJsonSchema, explanationSchema } from './explanation-schema.ts';
import { renderExplanation } from './render-explanation.ts';

const BOOK = { sha256: 'a'.repeat(64), id: 'pb', version: 'v1' };

function inputOf(spec: Parameters<typeof judge>[0]): ExplainInput {
  return { run_id: 'run', basis: spec.basis ?? 'ledger', reconciliation: judge(spec), books: [BOOK] };
}

/** `a` is right, `b` is charged twice, `c` was cut. */
const RUN = inputOf({
  rows: [textRow('a'), textRow('b'), cutRow('c', { prompt_bytes: 100 })],
  sweeps: [
    {
      records: [
        recordOf('a'),
        recordOf('b'),
        recordOf('b', { id: 'rec-b2' }),
        recordOf('c', { amount: '5' }),
      ],
    },
  ],
});

function said(input: ExplainInput, id: string): string {
  const explanation = explain(input, id);
  if (explanation === null) throw new Error(`nothing has the id ${id}`);
  expect(explanationSchema.parse(explanation)).toEqual(explanation);
  return renderExplanation(explanation).join('\n');
}

test('a right call: call, record, price line, the sum term by term, expected, charged', () => {
  const text = said(RUN, 'req-a');
  expect(text).toContain('call        call-a · chat · text-1 · 2026-11-20T12:00:00.000Z · ok · HTTP 200');
  expect(text).toContain('record      rec-a · text-1 · settled · completed');
  expect(text).toContain(`price book  pb · v1 · SHA-256 ${BOOK.sha256} · published`);
  expect(text).toContain('sum         input_token 1000 × $2 per 1000000 = $0.002');
  expect(text).toContain('output_token 100 × $8 per 1000000 = $0.0008');
  expect(text).toContain("together $0.0028, before the book's rounding");
  expect(text).toContain('expected    $0.0028\ncharged     $0.0028');
  expect(text).toContain('refuted by  Other units of this call');
});

test('a call charged twice says why, what is certain, and what would take it back', () => {
  const text = said(RUN, 'call-b');
  expect(text).toContain('record      rec-b2 ·');
  expect(text).toContain('charged     $0.0056\n');
  expect(text).toContain('for certain $0.0028 too much');
  expect(text).toMatch(/finding {5}\w+ · Billed twice \(duplicate_charge\) · S1 · proved · over \+\$0\.0028/);
  expect(text).toContain(`refuted by  ${REFUTED_BY.duplicate_charge}`);
});

test('a finding is told at its rows, by its id; a record by its own', () => {
  const finding = RUN.reconciliation.findings.find(({ class: name }) => name === 'duplicate_charge');
  const byFinding = explain(RUN, finding?.id ?? '');
  expect(byFinding?.finding?.class).toBe('duplicate_charge');
  expect(byFinding?.rows.map(({ call }) => call?.call_id)).toEqual(['call-b']);
  expect(explain(RUN, 'rec-b2')?.rows.map(({ call }) => call?.call_id)).toEqual(['call-b']);
});

test('what the evidence leaves open is told with both bounds', () => {
  const text = said(RUN, 'req-c');
  expect(text).toMatch(/expected {4}between \$0 and \$0\.0\d+/);
  expect(text).toContain('disconnect_overcharge');
});

test('a month without any ledger is explained by its records', () => {
  const month = inputOf({ basis: 'records', sweeps: [{ records: [recordOf('a', { amount: '0.0030' })] }] });
  const text = said(month, 'req-a');
  expect(text).toContain('call        not known: the audit has only the usage records');
  expect(text).toContain('expected    $0.0028\ncharged     $0.003\ndifference  +$0.0002');
});

test('a charge that its record does not tell enough of has bounds, and says what would tell', () => {
  const month = inputOf({
    basis: 'records',
    sweeps: [{ records: [recordOf('v', { ...VIDEO_RECORD, amount: '0.8' })] }],
  });
  const text = said(month, 'req-v');
  expect(text).toContain('expected    not known, at least $0.1\ncharged     $0.8\n');
  expect(text).toContain('$0.8 open');
  expect(text).toContain(
    "verdict     not_checkable: can't be checked without a log of your calls: a record tells",
  );
  expect(text).not.toContain('as due');
});

test('what nothing has is nothing, and every id that can be asked for is named once', () => {
  expect(explain(RUN, 'req-nowhere')).toBeNull();
  expect(explain(RUN, '')).toBeNull();
  const ids = explainableIds(RUN);
  expect(ids).toEqual([...new Set(ids)]);
  for (const id of ids) expect(explain(RUN, id), id).not.toBeNull();
});

test('every class says what would refute it, each in its own words', () => {
  const sentences = FAULT_CLASSES.map((name) => REFUTED_BY[name]);
  expect(new Set(sentences).size).toBe(FAULT_CLASSES.length);
});

test('the committed JSON Schema is that of the code', () => {
  const committed = readFileSync(new URL('./explanation.schema.json', import.meta.url), 'utf8');
  expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(explanationJsonSchema())));
});
