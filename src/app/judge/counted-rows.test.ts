import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { callRow } from '../../measure/ledger.test-support.ts';
import { countedRows } from './counted-rows.ts';

const FILE = fileURLToPath(new URL('../../../test/corpus/tokenizer/tokenizer.json', import.meta.url));
const sha256 = createHash('sha256').update(readFileSync(FILE)).digest('hex');
const TEXT = 'The old mill stood by the river.';

const dir = mkdtempSync(join(tmpdir(), 'wb-counted-'));
afterAll(() => rmSync(dir, { recursive: true }));

const ANSWERS = [
  { call_id: 'plain', beside: [] },
  { call_id: 'refused', beside: ['refusal'] },
  { call_id: 'thought', beside: ['refusal', 'reasoning'] },
  { call_id: 'called', beside: ['other'] },
];
const texts = join(dir, 'i0-0.texts');
writeFileSync(
  texts,
  ANSWERS.map(
    (answer) => `${JSON.stringify({ schema: 'weighbridge.text/1', ...answer, text: TEXT })}\n`,
  ).join(''),
);
const usage = { input: 3, output: 99, cache_read: null, cache_write: null, reasoning: null, raw: null };
const text_sha256 = createHash('sha256').update(TEXT).digest('hex');
const rows = ['plain', 'refused', 'thought', 'called', 'gone'].map((call_id) =>
  callRow(0, { call_id, usage, text_sha256, text_ref: 'i0-0.texts' }),
);

async function outputs(tokenizer: Parameters<typeof countedRows>[0]['tokenizer']) {
  const counted = await countedRows(tokenizer === undefined ? {} : { tokenizer }, {
    rows,
    text_files: [texts],
  });
  return counted.map((row) => row.usage?.output);
}

it('counts kept texts that are the whole output, and no others', async () => {
  expect(await outputs({ file: FILE, sha256 })).toEqual([23, 23, null, null, null]);
  expect(await outputs('o200k')).toEqual([8, 8, null, null, null]);
});

it('leaves the counts of the server where it counts', async () => {
  expect(await outputs('server')).toEqual([99, 99, 99, 99, 99]);
  expect(await outputs(undefined)).toEqual([99, 99, 99, 99, 99]);
});

it('knows no tokens where the file is gone, or another one than was planned with', async () => {
  expect(await outputs({ file: join(dir, 'gone.json'), sha256 })).toEqual([null, null, null, null, null]);
  expect(await outputs({ file: FILE, sha256: 'other' })).toEqual([null, null, null, null, null]);
});
