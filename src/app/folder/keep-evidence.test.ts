import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { evidenceSource, keepEvidence, readKeptEvidence } from './keep-evidence.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'kept-evidence-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const call = (id: string) =>
  `{"schema":"weighbridge.evidence/1","call_id":"${id}","kind":"chat","model":"m","started_at":"2026-10-03T08:15:30Z","outcome":"ok"}`;

function write(name: string, text: string): string {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
}

test('calls of several files are read from the folder as they were understood, and what was cut off stays told', async () => {
  const files = [
    write('one.ndjson', `${call('a')}\n${call('b')}\n{"schema":"weighbr`),
    write('two.ndjson', `${call('b')}\n${call('c')}\n`),
  ];
  await keepEvidence(dir, evidenceSource(files, undefined, undefined));
  for (const file of files) rmSync(file);
  const kept = await readKeptEvidence(dir);
  expect(kept?.ledger.rows.map(({ call_id, instance }) => [call_id, instance])).toEqual([
    ['a', 'e0'],
    ['b', 'e0'],
    ['c', 'e1'],
  ]);
  expect(kept?.ledger.problems).toMatchObject([
    { file: files[0], line: 3, what: expect.stringMatching(/^truncated last line/) },
    { line: 1, what: 'second row of call b' },
  ]);
  expect(readdirSync(join(dir, 'evidence'))).toEqual(['0.ndjson', '1.ndjson']);
});

test('a ledger without a call is kept as none', async () => {
  const spans = write('spans.ndjson', '{"spanId":"1","traceId":"2","name":"a span of something else"}\n');
  await keepEvidence(dir, evidenceSource([spans], 'otel', undefined));
  expect(readdirSync(join(dir, 'evidence'))).toEqual([]);
  expect((await readKeptEvidence(dir))?.ledger.rows).toEqual([]);
});
