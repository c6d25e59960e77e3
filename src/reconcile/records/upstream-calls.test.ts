import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { markerOf } from '../../core/marker.ts';
import { readUpstreamJournal, upstreamByCall } from './upstream-calls.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'upstream-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const line = (changes: object): string =>
  JSON.stringify({ schema: 'weighbridge.journal/1', type: 'call', marker: null, ...changes });

function journal(text: string): string {
  const file = join(dir, 'journal.ndjson');
  writeFileSync(file, text);
  return file;
}

test('calls are known by the marker of their prompt, once', async () => {
  const [one, twice] = ['call-1', 'call-2'].map((id) => markerOf('nonce', id));
  const lines = [
    line({ marker: one, input_tokens: 10, output_tokens: 3 }),
    line({ marker: twice, input_tokens: 10, output_tokens: 3 }),
    line({ marker: twice, input_tokens: 10, output_tokens: 4 }),
    line({ marker: 'wb0000000000000000' }),
    line({ type: 'fault' }),
    '{"schema":"weighbridge.jour',
  ];
  const calls = await readUpstreamJournal(journal(lines.join('\n')));
  expect([...upstreamByCall(calls, 'nonce', ['call-1', 'call-2', 'call-3'])]).toEqual([
    ['call-1', { marker: one, input: 10, output: 3 }],
  ]);
});

test('a line that is none of a journal is an error with its number', async () => {
  const file = journal(`${line({})}\n{"no":"line"}\n`);
  await expect(readUpstreamJournal(file)).rejects.toMatchObject({
    code: 'journal_corrupt',
    message: expect.stringContaining(`${file}:2: expected a line of weighbridge.journal/1`),
    exitCode: 2,
  });
});
