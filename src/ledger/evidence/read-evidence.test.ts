import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import { LEDGER_LINES } from '../../contracts/ledger-lines.ts';
import { CALL_SCHEMA } from '../../contracts/schema-names.ts';
import { evidenceCall } from './evidence-call.ts';
import { EVIDENCE_FORMATS, type EvidenceFormat, readEvidence } from './read-evidence.ts';

const CORPUS = join(import.meta.dirname, '../../../test/corpus/evidence');
const SAMPLES = [
  'evidence.ndjson',
  'otel-document.json',
  'otel-spans.ndjson',
  'litellm.json',
  'litellm.csv',
  'langfuse.json',
  'langfuse.csv',
  'columns.csv',
];

const expected = z.record(
  z.string(),
  z.object({
    format: z.enum(EVIDENCE_FORMATS),
    rows: z.array(z.record(z.string(), z.unknown())),
    left_aside: z.record(z.string(), z.number()),
    never: z.array(z.string()),
  }),
);

/**
 * What differs between rows of evidence; members that are null, empty or the same in all of them stay out.
 */
const SAME = ['schema', 'run_id', 'instance', 'scenario', 'phase', 'method', 'path', 'blame', 'logical_id'];

function brief(row: CallRow): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).filter(
      ([name, value]) =>
        value !== null && !SAME.includes(name) && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

async function sample(name: string) {
  const columns = name === 'columns.csv' ? { columns: join(CORPUS, 'columns.yaml') } : {};
  const { ledger, coverage } = await readEvidence({
    files: [join(CORPUS, name)],
    format: 'auto',
    ...columns,
  });
  const [file] = coverage.files;
  return {
    ledger,
    coverage,
    seen: {
      format: file?.format,
      rows: ledger.rows.map(brief),
      left_aside: Object.fromEntries((file?.left_aside ?? []).map(({ reason, count }) => [reason, count])),
      never: coverage.never,
    },
  };
}

describe('samples', () => {
  const wanted = expected.parse(JSON.parse(readFileSync(join(CORPUS, 'expected.json'), 'utf8')));

  test.each(SAMPLES)('%s gives the rows that stand beside it', async (name) => {
    const { seen, ledger } = await sample(name);
    expect(seen).toEqual(wanted[name]);
    expect(ledger.problems).toEqual([]);
    for (const row of ledger.rows) expect(LEDGER_LINES[CALL_SCHEMA].parse(row)).toEqual(row);
  });

  test.each(SAMPLES)('%s: entries and rows add up, nothing is dropped in silence', async (name) => {
    const { coverage } = await sample(name);
    const [file] = coverage.files;
    const entries = { 'otel-document.json': 5, 'langfuse.json': 4, 'litellm.json': 4 }[name];
    const aside = (file?.left_aside ?? []).reduce((sum, { count }) => sum + count, 0);
    if (entries !== undefined) expect((file?.rows ?? 0) + aside).toBe(entries);
    expect(coverage.rows).toBe(file?.rows);
  });

  test('a figure of money in them is no charge, and prompts and answers stay out', async () => {
    for (const name of SAMPLES) {
      const { ledger } = await sample(name);
      const text = JSON.stringify(ledger.rows);
      expect(ledger.rows.every(({ worst_case_usd }) => worst_case_usd === null)).toBe(true);
      expect(text).not.toMatch(/0\.0002875|0\.000088|stays out|88dc28d0/);
    }
    const { coverage } = await sample('litellm.json');
    expect(coverage.files[0]?.not_taken.join()).toMatch(/spend: .* proves no charge/);
  });

  test('several files are one ledger, and a call that stands in two is told', async () => {
    const files = ['evidence.ndjson', 'otel-spans.ndjson', 'litellm.json', 'litellm.csv'];
    const read = await readEvidence({ files: files.map((name) => join(CORPUS, name)), format: 'auto' });
    expect(read.ledger.rows).toHaveLength(6 + 3 + 2 + 1);
    expect(read.ledger.problems).toMatchObject([
      { file: join(CORPUS, 'litellm.csv'), line: 2, what: 'second row of call chatcmpl-0001', gap: false },
    ]);
    expect(read.coverage.filled).toMatchObject({ request_id: 5, 'usage.input': 4 });
    expect(read.coverage.never).toEqual([]);
  });

  test('what can never be judged follows from what is never there', async () => {
    const { coverage } = await sample('otel-spans.ndjson');
    expect(coverage.never).toContain('out_chars');
    expect(coverage.cannot.join('\n')).toMatch(/no size of the output/);
    expect(coverage.cannot.join('\n')).not.toMatch(/no id:|no token counts/);
    expect((await sample('evidence.ndjson')).coverage.cannot).toEqual([expect.stringMatching(/^no intents/)]);
  });
});

describe('the page of the formats', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/evidence.md'), 'utf8');
  const FENCE = '`'.repeat(3);
  const block = (language: string): string => page.split(`${FENCE}${language}\n`)[1]?.split(FENCE)[0] ?? '';

  test('its lines and its mapping can be read', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'wb-evidence-'));
    try {
      writeFileSync(join(dir, 'x.ndjson'), block('ndjson'));
      writeFileSync(join(dir, 'columns.yaml'), block('yaml'));
      const lines = await readEvidence({ files: [join(dir, 'x.ndjson')], format: 'auto' });
      expect(lines.ledger.rows.map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual([
        'chat ok',
        'image ok',
      ]);
      const csv = {
        files: [join(CORPUS, 'columns.csv')],
        format: 'csv',
        columns: join(dir, 'columns.yaml'),
      } as const;
      expect((await readEvidence(csv)).ledger.rows).toHaveLength(3);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  test('its table has every member of the form, and every format', () => {
    const cells = [...page.matchAll(/^\| (`.+?) \| /gm)].map(([, cell = '']) => cell);
    const named = cells.flatMap((cell) => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name));
    expect(named).toEqual(expect.arrayContaining(Object.keys(evidenceCall.shape)));
    expect(named).toEqual(expect.arrayContaining(EVIDENCE_FORMATS.filter((format) => format !== 'auto')));
  });
});

describe('input that is wrong', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'wb-evidence-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const own = (changes: object = {}): string =>
    JSON.stringify({
      schema: 'weighbridge.evidence/1',
      call_id: 'c',
      kind: 'chat',
      model: 'm',
      started_at: '2026-10-03T08:15:30Z',
      outcome: 'ok',
      ...changes,
    });

  async function failure(name: string, text: string, format: EvidenceFormat = 'auto', columns?: string) {
    const file = join(dir, name);
    writeFileSync(file, text);
    const mapping = columns === undefined ? {} : { columns: join(dir, 'columns.yaml') };
    if (columns !== undefined) writeFileSync(join(dir, 'columns.yaml'), columns);
    const error: unknown = await readEvidence({ files: [file], format, ...mapping }).then(
      () => null,
      (reason: unknown) => reason,
    );
    const { code, message } = z.object({ code: z.string(), message: z.string() }).parse(error);
    return `${code} ${message.replaceAll(dir, '').replaceAll('/', '')}`;
  }

  test.each([
    [
      'a member of a wrong type',
      `${own()}\n${own({ usage: { input: '12' } })}\n`,
      /^evidence_corrupt x:2: usage\.input/,
    ],
    ['a member that is not of the form', `${own({ spend: 1 })}\n`, /^evidence_corrupt x:1: .*spend/],
    ['a key instead of its fingerprint', `${own({ key_fp: 'sk-1' })}\n`, /^evidence_corrupt x:1: key_fp/],
    [
      'a line that is no JSON',
      `${own()}\nhello\n${own()}\n`,
      /^evidence_corrupt x:2: expected one JSON object/,
    ],
    [
      'another format behind the first',
      `${own()}\n{"traceId":"1","spanId":"2"}\n`,
      /^evidence_corrupt x:2: .*evidence/,
    ],
    [
      'a text longer than a name',
      `${JSON.stringify({ request_id: 'r', call_type: 'completion', model: 'm'.repeat(600), startTime: '2026-10-03 08:00:00' })}\n`,
      /^evidence_corrupt x:1: model: .*512/,
    ],
    ['an empty file', ' \n', /^evidence_corrupt x:1: expected evidence, found an empty file/],
    ['nothing that is known', '{"hello":1}\n', /^evidence_unknown .*x:1 has hello/],
    ['CSV without a mapping', 'a,b\n1,2\n', /^evidence_unknown .*x:2 has a, b/],
    ['a document that ends too soon', '[\n{"a":1},\n', /^evidence_corrupt x:[23]: expected a JSON document/],
    [
      'tokens that are no count',
      '[{"request_id":"r","call_type":"completion","model":"m",\n"startTime":"2026-10-03","prompt_tokens":1}]',
      /^evidence_corrupt x:1: startTime/,
    ],
  ])('%s', async (_, text, wanted) => {
    expect(await failure('x', text)).toMatch(wanted);
  });

  test('a file that is not there', async () => {
    await expect(readEvidence({ files: [join(dir, 'none')], format: 'auto' })).rejects.toMatchObject({
      code: 'evidence_missing',
      exitCode: 2,
    });
  });

  const COLUMNS =
    'columns:\n  call_id: id\n  kind: {value: chat}\n  model: m\n  started_at: at\n  outcome: {column: o, values: {done: ok}}\n';

  test.each([
    [
      'a value that no rule names',
      'id,m,at,o\n1,x,2026-10-03 08:00:00,gone\n',
      COLUMNS,
      /^evidence_corrupt x:2: outcome: expected one of done in column o, found gone/,
    ],
    [
      'a column that is not there',
      'id,m,o\n1,x,done\n',
      COLUMNS,
      /^evidence_corrupt x:2: started_at: expected a column at, as the mapping says, found id, m, o/,
    ],
    [
      'a row of another length, behind one over two lines',
      'id,m,at,o\n1,"x\ny",2026-10-03 08:00:00,done\n2,x\n',
      COLUMNS,
      /^evidence_corrupt x:4: /,
    ],
    [
      'a column twice',
      'id,m,at,o,id\n1,x,2026-10-03 08:00:00,done,2\n',
      COLUMNS,
      /^evidence_corrupt x:1: .*id twice/,
    ],
    [
      'a quote where none may be, whose cell is not shown',
      'id,m,at,o\n1,what a"user" wrote,2026-10-03 08:00:00,done\n',
      COLUMNS,
      /^evidence_corrupt x:2: (?!.*wrote|.*what a)/,
    ],
    [
      'a moment of another form',
      'id,m,at,o\n1,x,yesterday,done\n',
      COLUMNS,
      /^evidence_corrupt x:2: started_at: expected a moment/,
    ],
    [
      'a member that is none',
      'a\n1\n',
      `${COLUMNS}  spend: s\n`,
      /^evidence_columns columns\.yaml:7: spend: expected one of/,
    ],
    [
      'a member that is needed',
      'a\n1\n',
      'columns:\n  call_id: id\n',
      /^evidence_columns columns\.yaml:1: kind/,
    ],
    ['no YAML', 'a\n1\n', 'columns: [', /^evidence_columns columns\.yaml:1: /],
  ])('CSV: %s', async (_, text, columns, wanted) => {
    expect(await failure('x', text, 'auto', columns)).toMatch(wanted);
  });

  test('half an entry at the end of a file is a problem, and the rest is read', async () => {
    const file = join(dir, 'x');
    writeFileSync(file, `${own()}\n${own({ call_id: 'd' }).slice(0, 40)}`);
    const { ledger } = await readEvidence({ files: [file], format: 'evidence' });
    expect(ledger.rows).toHaveLength(1);
    expect(ledger.problems).toMatchObject([
      { file, line: 2, what: expect.stringMatching(/^truncated last line/) },
    ]);
  });

  test('a byte order mark and empty lines are no entries', async () => {
    const file = join(dir, 'x');
    writeFileSync(file, `\u{feff}${own()}\n\n${own({ call_id: 'd' })}\n`);
    expect((await readEvidence({ files: [file], format: 'auto' })).ledger.rows).toHaveLength(2);
  });
});
