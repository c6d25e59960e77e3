import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { markerOf } from '../../core/marker.ts';
import { journalCalls, readUpstream, upstreamByCall } from './upstream-calls.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'upstream-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const line = (changes: object): string =>
  JSON.stringify({
    schema: 'weighbridge.journal/1',
    type: 'call',
    request_id: 'up-1',
    marker: null,
    received_at: '2026-11-20T12:00:00.000Z',
    amount: '0.002',
    ...changes,
  });

function written(text: string): string {
  const file = join(dir, 'journal.ndjson');
  writeFileSync(file, text);
  return file;
}

test('calls are known by the marker of their prompt, once', async () => {
  const [one, twice, uncounted] = ['call-1', 'call-2', 'call-3'].map((id) => markerOf('nonce', id));
  const lines = [
    line({ marker: one, input_tokens: 10, output_tokens: 3 }),
    line({ marker: twice, input_tokens: 10, output_tokens: 3 }),
    line({ marker: twice, input_tokens: 10, output_tokens: 4 }),
    line({ marker: uncounted }),
    line({ marker: 'wb0000000000000000' }),
    line({ type: 'fault' }),
    '{"schema":"weighbridge.jour',
  ];
  const calls = await journalCalls(written(lines.join('\n')));
  expect(calls).toHaveLength(5);
  expect(calls[0]).toMatchObject({
    ids: ['up-1'],
    marker: one,
    cost: '0.002',
    at: '2026-11-20T12:00:00.000Z',
  });
  expect([...upstreamByCall(calls, 'nonce', ['call-1', 'call-2', 'call-3', 'call-4'])]).toEqual([
    ['call-1', { marker: one, input: 10, output: 3 }],
  ]);
});

test('a line that is none of a journal is an error with its number', async () => {
  const file = written(`${line({})}\n{"no":"line"}\n`);
  await expect(journalCalls(file)).rejects.toMatchObject({
    code: 'journal_corrupt',
    message: expect.stringContaining(`${file}:2: expected a line of weighbridge.journal/1`),
    exitCode: 2,
  });
});

test('a folder of an earlier version keeps the journal itself; what is kept now begins with a header', async () => {
  const journal = await readUpstream(written(`${line({ type: 'fault' })}\n${line({})}\n`));
  expect(journal).toMatchObject({ header: { kind: 'journal', whole: false }, calls: [{ ids: ['up-1'] }] });
  const header = {
    ...{ schema: 'weighbridge.upstream/1', type: 'header', kind: 'rows', mapping: 'litellm' },
    ...{ whole: true, models: [{ sold: 'a', bought: 'b' }] },
  };
  const kept = [header, ...journal.calls].map((each) => `${JSON.stringify(each)}\n`);
  expect(await readUpstream(written(kept.join('')))).toEqual({ header, calls: journal.calls });
  for (const lines of [[kept[1] ?? ''], [...kept, kept[0] ?? ''], [kept[0] ?? '', '{"type":"call"}']])
    await expect(readUpstream(written(lines.join('')))).rejects.toMatchObject({
      code: 'upstream_corrupt',
      message: expect.stringMatching(/:\d: expected a line of weighbridge.upstream\/1/),
    });
});
