import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { RECORD_MAPPINGS } from '../src/app/evidence/record-mapping.ts';
import { UNWATCHED } from '../src/app/notices/unwatched.test-support.ts';
import { runProgram } from '../src/cli/program.ts';
import { EVIDENCE_FORMATS } from '../src/ledger/evidence/read-evidence.ts';
import { FOREIGN_LEDGERS, FOREIGN_ROWS, type ForeignRow, MARKER, planted } from './support/foreign-rows.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'private-rows-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const PRICES = `pricebook: list
version: 2026-10
rounding: { quantum: 0.000001, mode: half_up }
input_includes_cache: true
models:
  - { model: m-1, input: 1, output: 3 }
`;
const verdict = z.object({ dir: z.string(), run_id: z.string() });
const summary = z.object({ findings: z.array(z.object({ class: z.string(), count: z.number() })) });

async function weighbridge(...args: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const status = await runProgram([...args], {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    ...UNWATCHED,
    width: 200,
    env: {},
  });
  return { out: out.join('\n'), err: err.join('\n'), status };
}

function write(name: string, text: string): string {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
}

/** Every file below, those inside zips too, as text. */
function bytesBelow(folder: string): readonly (readonly [name: string, text: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry): (readonly [string, string])[] => {
      const path = join(entry.parentPath, entry.name);
      const bytes = readFileSync(path);
      if (!path.endsWith('.zip')) return [[path, bytes.toString('latin1')]];
      return Object.entries(unzipSync(bytes)).map(([name, held]) => [
        `${path}:${name}`,
        Buffer.from(held).toString('latin1'),
      ]);
    });
}

function marked(folder: string): readonly string[] {
  return bytesBelow(folder).flatMap(([name, text]) => (text.includes(MARKER) ? [name] : []));
}

const RECORDS = Object.entries(FOREIGN_ROWS);

test('every ready mapping and every reader of ledgers has a row here', () => {
  expect(RECORDS.map(([name]) => name).sort()).toEqual(RECORD_MAPPINGS.names);
  const formats = EVIDENCE_FORMATS.filter((format) => format !== 'auto' && format !== 'evidence');
  expect(Object.keys(FOREIGN_LEDGERS).sort()).toEqual([...formats].sort());
});

/** The members of a row that the mapping names, in whatever kind. */
function namedBy(mapping: string): readonly string[] {
  return RECORD_MAPPINGS.read(mapping).kinds.flatMap(({ take, record }) => [
    ...Object.keys(take ?? {}),
    ...Object.values(record).flatMap((rule) => [...[rule?.from ?? []].flat(), ...(rule?.sum ?? [])]),
  ]);
}

async function auditOf(name: string, { row, texts = [], dear }: ForeignRow, ...more: readonly string[]) {
  const rows = [1, 2, 3].map((n) => planted(dear(row, n), { kept: namedBy(name), texts }));
  const records = write(`${name}.ndjson`, rows.map((each) => `${JSON.stringify(each)}\n`).join(''));
  expect(readFileSync(records, 'utf8').split(MARKER).length).toBeGreaterThan(10);
  const judged = await weighbridge(
    ...['reconcile', '--month', '2026-10', '--records', records, '--records-mapping', name],
    ...[
      '--pricebook',
      write('prices.yaml', PRICES),
      '--out',
      join(dir, 'out'),
      '--state',
      join(dir, 'state'),
    ],
    ...['--json', ...more],
  );
  expect(judged.err).not.toContain(MARKER);
  const last = judged.out.trimEnd().split('\n').at(-1) ?? '';
  return { judged, ...verdict.parse(JSON.parse(last)), records };
}

test.each(RECORDS)(
  '%s: no text of a row but what the mapping names reaches a file, the bundle, the report or explain',
  async (name, row) => {
    const { run_id, dir: run } = await auditOf(name, row);
    const { findings } = summary.parse(JSON.parse(readFileSync(join(run, 'result.json'), 'utf8')));
    expect(findings).toEqual(
      [{ class: 'amount_mismatch', count: 3 }].map((each) => expect.objectContaining(each)),
    );
    const common = ['--run', run_id, '--out', join(dir, 'out')];
    const bundled = await weighbridge('report', ...common, '--state', join(dir, 'state'), '--bundle');
    const formats = await weighbridge(
      'report',
      ...common,
      '--format',
      'rows.csv,rows.ndjson,focus.csv,junit.xml',
    );
    const told = await Promise.all([
      weighbridge('explain', 'call-1', ...common),
      weighbridge('explain', 'call-1', ...common, '--json'),
    ]);
    expect([formats.status, ...told.map(({ status }) => status)]).toEqual([formats.status, 0, 0]);
    for (const { out, err } of [bundled, formats, ...told]) expect(out + err).not.toContain(MARKER);
    expect(told[0].out).toContain('call-1');
    expect(readdirSync(run).some((file) => file.endsWith('.zip'))).toBe(true);
    expect(marked(join(dir, 'out'))).toEqual([]);
    if (existsSync(join(dir, 'state'))) expect(marked(join(dir, 'state'))).toEqual([]);
  },
);

test.each(Object.entries(FOREIGN_LEDGERS))(
  'a ledger of %s: no text of an entry but what is read of it reaches a file, the report or explain',
  async (name, { text, file, columns }) => {
    const ledger = write(file, text);
    expect(text.split(MARKER).length).toBeGreaterThan(3);
    const records = write('records.ndjson', OWN_RECORDS);
    const args = [
      ...['reconcile', '--ledger', ledger, '--ledger-format', name, '--records', records],
      ...(columns === undefined ? [] : ['--columns', write('columns.yaml', columns)]),
      ...[
        '--pricebook',
        write('prices.yaml', PRICES),
        '--out',
        join(dir, 'out'),
        '--state',
        join(dir, 'state'),
      ],
    ];
    const judged = await weighbridge(...args, '--json');
    const { dir: run, run_id } = verdict.parse(JSON.parse(judged.out.trimEnd().split('\n').at(-1) ?? ''));
    expect(marked(join(dir, 'out'))).toEqual([]);
    const told = await weighbridge('explain', 'answer-1', '--run', run_id, '--out', join(dir, 'out'));
    expect(told.status).toBe(0);
    expect(judged.out + judged.err + told.out).not.toContain(MARKER);
    // The calls stand in the folder: judged again it gives the same verdict without the ledger.
    const before = readFileSync(join(run, 'result.json'), 'utf8');
    rmSync(ledger);
    await weighbridge('reconcile', '--run', run_id, '--out', join(dir, 'out'), '--state', join(dir, 'state'));
    expect(readFileSync(join(run, 'result.json'), 'utf8')).toBe(before);
  },
);

/** The bill of the calls of the ledgers, with a field that no record has. */
const OWN_RECORDS = `${JSON.stringify({
  id: 'r-1',
  request_id: 'answer-1',
  created_at: Date.parse('2026-10-03T08:15:31Z') / 1000,
  model: 'm-1',
  amount: '0.001455',
  reserved_amount: '0.001455',
  refunded_amount: '0',
  input_tokens: 1200,
  output_tokens: 85,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  usage_estimated: false,
  result: 'completed',
  billing_status: 'settled',
  pricebook_id: 'x',
  pricing_version: 'x',
  user_email: `${MARKER}@example.org`,
})}\n`;

test('--by tells the money of each group, and the name that was asked for is all that is kept of it', async () => {
  const rows = [
    { team_id: 'red', spend: 0.004 },
    { team_id: 'blue', spend: 0.0014550000000000001 },
    { team_id: '', spend: 0.001455 },
  ];
  const { row = {}, dear } = FOREIGN_ROWS['litellm'] ?? {};
  const records = write(
    'logs.ndjson',
    rows.map((each, n) => `${JSON.stringify({ ...dear?.(row, n + 1), ...each })}\n`).join(''),
  );
  const judged = await weighbridge(
    ...[
      'reconcile',
      '--month',
      '2026-10',
      '--records',
      records,
      '--records-mapping',
      'litellm',
      '--by',
      'team',
    ],
    ...[
      '--pricebook',
      write('prices.yaml', PRICES),
      '--out',
      join(dir, 'out'),
      '--state',
      join(dir, 'state'),
    ],
  );
  expect(judged.out).toContain("team     calls    charged   expected  difference  can't be told");
  expect(judged.out).toMatch(/red +1 +\$0\.004 +\$0\.001455 +\+\$0\.002545 +\$0/);
  expect(judged.out).toMatch(/no team +1 +\$0\.001455 +\$0\.001455 +\$0 +\$0/);
  const text = bytesBelow(join(dir, 'out'))
    .map(([, held]) => held)
    .join('\n');
  expect(text).toContain('By team');
  expect(text).not.toContain(MARKER);
});

test('another --by is another folder', async () => {
  const row = FOREIGN_ROWS['litellm'];
  if (row === undefined) throw new Error('expected a row of LiteLLM');
  const folders = [];
  for (const by of ['key', 'user', 'key']) folders.push((await auditOf('litellm', row, '--by', by)).run_id);
  expect(new Set(folders).size).toBe(2);
  expect(folders[2]).toBe(folders[0]);
});

test('--keep-raw keeps the files whole for their owner alone, and says which members stand there', async () => {
  const row = FOREIGN_ROWS['litellm-payload'];
  if (row === undefined) throw new Error('expected a row of LiteLLM');
  const { dir: run, judged, records } = await auditOf('litellm-payload', row, '--keep-raw');
  expect(judged.err).toMatch(
    /raw\/ keeps 1 file whole, as --keep-raw asks, with .*messages\.content.*metadata/,
  );
  const [copy] = marked(run);
  expect(marked(run)).toEqual([join(run, 'raw', '0-litellm-payload.ndjson')]);
  expect(readFileSync(copy ?? '')).toEqual(readFileSync(records));
  expect(statSync(copy ?? '').mode & 0o777).toBe(0o600);
  const { members } = z
    .object({ members: z.array(z.string()) })
    .parse(JSON.parse(readFileSync(join(run, 'raw.json'), 'utf8')));
  expect(members).toEqual(expect.arrayContaining(['end_user', 'messages.content', 'requester_ip_address']));
});
