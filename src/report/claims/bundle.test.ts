import { createHash } from 'node:crypto';
import { strFromU8, unzipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { type BillingTerms, NO_TERMS } from '../../contracts/billing-terms.ts';
import { FAULT_CLASSES } from '../../contracts/fault-class.ts';
import { completenessOf } from '../../contracts/reconciliation.test-support.ts';
import { OPEN_TERMS } from '../../contracts/reconciliation.ts';
import { parseAmount } from '../../core/amount.ts';
import { bookDocument, inputOf, recordOf, textRow } from '../../reconcile/reconcile.test-support.ts';
import { reconcile } from '../../reconcile/reconcile.ts';
import { bundle } from './bundle.ts';
import type { BundleInput } from './bundle-input.ts';
import { brokenRule } from './cause-section.ts';
import { claimable } from './claimable.ts';
import { MANIFEST } from './manifest.ts';

const KEY = 'sk-planted-0123456789abcdef';
const TOKEN = 'accesstokenaccesstoken';
const PROMPT = 'the prompt that nobody may read';
const BOOK = new TextEncoder().encode(JSON.stringify(bookDocument()));
const SHA = createHash('sha256').update(BOOK).digest('hex');

type Changes = Parameters<typeof recordOf>[1] & Readonly<Record<string, unknown>>;

/** As a contract says what the interface leaves open. */
const DECLARED: BillingTerms = { ...NO_TERMS, readings: { ...NO_TERMS.readings, amount: 'net' } };

/** `b` is charged twice, and whatever `changes` plant in its first record. */
function bundleInput(changes: Changes = {}, book = BOOK, terms = DECLARED): BundleInput {
  const input = inputOf({
    terms,
    rows: [
      textRow('a'),
      textRow('b', { error_message: PROMPT, key_fp: 'feedfacecafebeef', text_ref: PROMPT }),
    ],
    sweeps: [{ records: [recordOf('a'), { ...recordOf('b'), ...changes }, recordOf('b', { id: 'rec-b2' })] }],
  });
  const reads = input.reads.map((read) =>
    read.read === 'records'
      ? { ...read, sha256: 'c'.repeat(64), cursor: 'opaque-cursor', key_fp: 'feedfacecafebeef' }
      : read,
  );
  const [first] = reads;
  if (first === undefined) throw new Error('no read');
  return {
    result: {
      run_id: 'run',
      target: 'https://gateway.example',
      period: { start: '2026-11-20T12:00:00.000Z', end: '2026-11-20T12:01:00.000Z' },
      basis: 'ledger',
      tool: { weighbridge: '0.1.0', k6: null },
      completeness: completenessOf({ last_read_at: '2026-11-20T12:01:00.000Z' }),
    },
    claimable: claimable('run', reconcile(input)),
    books: [{ name: `${SHA}.json`, own: false, sha256: SHA, id: 'pb', version: 'v1', bytes: book }],
    reads: [
      ...reads,
      { ...first, read: 'book', sha256: SHA },
      { ...first, read: 'account', sha256: 'd'.repeat(64) },
    ],
    records: input.records,
    mask: (text) => text.replaceAll(TOKEN, '***').replaceAll('feedfacecafebeef', '***'),
  };
}

function filesOf(input: BundleInput): {
  readonly names: readonly string[];
  readonly text: (name: string) => string;
} {
  const made = bundle(input);
  const files = unzipSync(made.zip);
  const folder = `weighbridge-${made.kind}-${made.id}/`;
  expect(Object.keys(files)).toEqual(made.files.map((name) => folder + name));
  return {
    names: made.files,
    text: (name) => strFromU8(files[folder + name] ?? new Uint8Array()),
  };
}

test('a letter, a table, explanations, records and books as served, and their manifest', () => {
  const { names, text } = filesOf(bundleInput());
  expect(names).toEqual([
    'letter.md',
    'letter.html',
    'claims.csv',
    'explanations.txt',
    'evidence/records.ndjson',
    'evidence/reads.ndjson',
    `books/${SHA}.json`,
    MANIFEST,
  ]);
  const letter = text('letter.md');
  expect(letter).toContain('$0.0028 charged too much');
  expect(letter).toContain('| Billed twice, text-1 | second\\_settled\\_record | 1 | 0.0028 | 0 |');
  expect(letter).toContain('2026-11-20. From 2026-11-20T12:00:00.000Z to');
  expect(letter).toContain('you charged our account $0.0084.');
  expect(letter).toContain('Please credit $0.0028 to our account.');
  expect(letter).toContain("Each completed model request is charged against the account's USD credit.");
  expect(letter).toContain('text-1: input\\_token $2 per 1000000, pb version v1, as served at 2026');
  expect(letter).toContain(SHA);
  expect(text('letter.html')).toContain('$0.0028 charged too much</h1>');
  const [head, ...rows] = text('claims.csv').trimEnd().split('\r\n');
  expect(head).toMatch(/^claim_id,claimed_usd,/);
  expect(rows).toHaveLength(1);
  expect(parseAmount(rows[0]?.split(',')[1] ?? '')).toBe(parseAmount('0.0028'));
  expect(text('explanations.txt')).toContain('sum         input_token 1000 × $2 per 1000000 = $0.002');
  expect(text(`books/${SHA}.json`)).toBe(new TextDecoder().decode(BOOK));
});

test('while a term is told by nobody the letter asks, row by row, and demands no sum', () => {
  const { names, text } = filesOf(bundleInput({}, BOOK, NO_TERMS));
  expect(names).toContain('questions.csv');
  const letter = text('letter.md');
  expect(letter).toMatch(/^# Question \w{12}: 1 charge that we compute otherwise\n/);
  expect(letter).toContain(
    'we computed 1 request of our account by your price list, and you charged or still hold another amount. Please explain it.',
  );
  expect(letter).toContain(
    'We demand no sum yet: your documents and our agreement do not tell whether an amount has its refund taken off.',
  );
  expect(letter).toContain('| request id | time | records | we computed | you charged | still held |');
  expect(letter).toMatch(
    /\| req-b \| 2026-11-20T12:00:00\.000Z \| rec-b<br>rec-b2 \| 0\.0028 \| 0\.0056 \| 0 \|/,
  );
  const [head = '', row = ''] = text('questions.csv').split('\r\n');
  expect(head.split(',').slice(0, 3)).toEqual(['question_id', 'held_usd', 'cause']);
  expect(row).toContain(',0.0056,0.0028,');
  expect(text('explanations.txt')).toMatch(/^question {4}\w{12}\n/);
});

test('a letter names each term that nobody told', () => {
  const silent = new TextEncoder().encode(JSON.stringify(bookDocument({ rounding: null })));
  const input = bundleInput({}, silent, NO_TERMS);
  const all = { ...input, claimable: { ...input.claimable, untold: OPEN_TERMS } };
  const letter = filesOf(all).text('letter.md');
  expect(letter).not.toContain('rounded as the book says');
  expect(letter).toContain(
    'do not tell how amounts are rounded, whether an amount has its refund taken off, or which edition of the price list holds for a request.',
  );
});

test('requests of one cause are one claim, with its sums and one example to be checked by hand', () => {
  const names = Array.from({ length: 45 }, (_, index) => `c${index}`);
  const rows = names.map((name) => textRow(name));
  const records = names.flatMap((name) => [recordOf(name), recordOf(name, { id: `rec-${name}-2` })]);
  const input = inputOf({ terms: DECLARED, rows, sweeps: [{ records }] });
  const { text } = filesOf({
    ...bundleInput(),
    claimable: claimable('run', reconcile(input)),
    records: input.records,
  });
  const letter = text('letter.md');
  expect(letter.match(/^## Billed twice, text-1$/gm)).toHaveLength(1);
  expect(letter).toContain(
    '45 requests, at 2026-11-20T12:00:00.000Z (UTC): charged $0.252, due $0.126, claimed $0.126.',
  );
  expect(letter.match(/^\| req-c\d+ /gm)).toHaveLength(1);
  expect(letter).toContain('- input\\_token 1000 × $2 per 1000000 = $0.002');
  expect(letter).toMatch(/Our evidence: .+ \((?:sentence|document|observation)\)\./);
  expect(text('claims.csv').trimEnd().split('\r\n')).toHaveLength(46);
});

test('only the records of the claims, with the time and hash of the pages that they stood in', () => {
  const { text } = filesOf(bundleInput());
  const records = lines(text('evidence/records.ndjson'));
  expect(records.map(({ record }) => record)).toEqual([recordOf('b'), recordOf('b', { id: 'rec-b2' })]);
  expect(records[0]).toMatchObject({
    first_read_at: '2026-11-20T12:01:00.000Z',
    page_sha256: ['c'.repeat(64)],
    record_sha256: createHash('sha256')
      .update(JSON.stringify(recordOf('b')))
      .digest('hex'),
  });
  expect(lines(text('evidence/reads.ndjson')).map(({ read, sha256 }) => [read, sha256])).toEqual([
    ['records', 'c'.repeat(64)],
    ['book', SHA],
  ]);
});

test('the manifest has the SHA-256 of every file beside it, and how it is checked and signed', () => {
  const { names, text } = filesOf(bundleInput());
  const listed = text(MANIFEST)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const hashes = names
    .filter((name) => name !== MANIFEST)
    .map((name) => `${createHash('sha256').update(text(name)).digest('hex')}  ${name}`);
  expect(listed).toEqual(hashes);
  expect(text(MANIFEST)).toContain('# sign:   ssh-keygen -Y sign');
});

test('no key, token, fingerprint or prompt comes in, wherever it was planted', () => {
  const planted = bundleInput({ prompt: PROMPT, api_key: KEY, result: `completed ${KEY} ${TOKEN}` });
  const { names, text } = filesOf(planted);
  const all = names.map(text).join('\n');
  for (const secret of [
    KEY,
    TOKEN,
    PROMPT,
    'feedfacecafebeef',
    'opaque-cursor',
    'dddddddd',
    'call-a',
    'req-a',
  ])
    expect(all.includes(secret), secret).toBe(false);
  expect(lines(text('evidence/records.ndjson'))[0]?.['record']).toMatchObject({
    result: 'completed *** ***',
  });
  expect(bundle(planted).left_out).toContain('2 fields of records beyond those that are documented');
  expect(text('letter.md')).toContain('2 fields of records beyond those that are documented');
});

test('a key or token comes in under no escape of Markdown and HTML', () => {
  const key = 'sk-zyx_wvu-tsr-0123456789';
  const token = 'qpo_nml&<kji>*hgf*';
  const planted = bundleInput({ model: `text-1 ${key} ${token}`, id: `rec ${token} ${key}` });
  const { names, text } = filesOf({
    ...planted,
    mask: (said) => said.replaceAll(token, '***'),
  });
  const all = names.map(text).join('\n');
  expect(all).toContain('***');
  for (const part of ['zyx', 'wvu', '0123456789', 'qpo', 'nml', 'hgf'])
    expect(all.includes(part), part).toBe(false);
});

test('a book that holds what looks like a key stays out whole, and is named', () => {
  const book = new TextEncoder().encode(JSON.stringify(bookDocument({ note: KEY })));
  const made = bundle(bundleInput({}, book));
  expect(made.files.some((name) => name.startsWith('books/'))).toBe(false);
  expect(made.left_out.at(-1)).toBe(`the price book ${SHA}.json: it holds what looks like a key`);
});

test('a cell that a spreadsheet would run is text', () => {
  const { text } = filesOf(bundleInput({ id: '=HYPERLINK("x")' }));
  expect(text('claims.csv')).toContain(`"'=HYPERLINK(""x"") rec-b2"`);
});

test('the same input gives the same bytes in whatever time zone', () => {
  const before = process.env['TZ'];
  onTestFinished(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });
  const zips = ['UTC', 'Asia/Tokyo', 'America/Los_Angeles'].map((zone) => {
    process.env['TZ'] = zone;
    return Buffer.from(bundle(bundleInput()).zip).toString('base64');
  });
  expect(new Set(zips).size).toBe(1);
});

test('every class names a sentence of the service', () => {
  const sentences = new Set(FAULT_CLASSES.map((name) => brokenRule(name).sentence));
  expect(sentences.size).toBe(3);
  expect(brokenRule('failed_task_not_refunded').sentence).toContain('the credit adjustment appears in usage');
  expect(brokenRule('tier_not_applied').sentence).toContain('set by actual usage');
  expect(brokenRule('phantom_record').sentence).toContain('Each completed model request');
});

function lines(text: string): readonly Readonly<Record<string, unknown>>[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
