import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CallRow } from '../contracts/ledger-lines.ts';
import { unobservedCall } from '../contracts/unobserved-call.ts';
import { answerTextFile, readAnswerTexts } from './answer-texts.ts';
import { loadLedger } from './load-ledger.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'texts-'));
});
afterEach(() => rm(dir, { recursive: true }));

/** A row with what a text is found by; all else is null or does not matter. */
function row(callId: string, text: string, ref = 'i0-0.texts'): CallRow {
  return unobservedCall({
    run_id: 'run',
    instance: 'i0',
    call_id: callId,
    logical_id: callId,
    scenario: 'chat',
    kind: 'chat',
    path: '/v1/chat/completions',
    stream: false,
    model: 'm',
    started_at: '2026-11-20T12:00:00.000Z',
    end_ms: 1,
    out_chars: text.length,
    text_sha256: createHash('sha256').update(text).digest('hex'),
    text_ref: ref,
    status: 200,
    outcome: 'ok',
    error_type: 'none',
    blame: 'none',
    finish: 'stop',
  });
}

function line(callId: string, text: string, changes: object = {}): string {
  return `${JSON.stringify({ schema: 'weighbridge.text/1', call_id: callId, beside: [], text, ...changes })}\n`;
}

async function write(name: string, text: string): Promise<string> {
  const file = join(dir, name);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, text);
  return file;
}

test('the texts of rows stand in the files that the rows name, beside their own', async () => {
  const rows = [row('a', 'one\u2028 "é"'), row('b', 'two'), row('c', 'three', 'i1-0.texts')];
  await write(
    'calls/i0-0.ndjson',
    rows
      .slice(0, 2)
      .map((each) => `${JSON.stringify(each)}\n`)
      .join(''),
  );
  await write('calls/far/i1-0.ndjson', `${JSON.stringify(rows[2])}\n`);
  const texts = line('a', 'one\u2028 "é"') + line('b', 'two', { beside: ['reasoning'] });
  const files = [
    await write('calls/i0-0.texts', texts),
    await write('calls/far/i1-0.texts', line('c', 'three')),
  ];
  const ledger = await loadLedger(dir);
  expect([...ledger.text_files].sort()).toEqual(files.sort());
  expect([ledger.rows.length, ledger.problems, ledger.unknown_lines]).toEqual([3, [], 0]);
  const found = await readAnswerTexts(ledger.text_files, ledger.rows);
  expect([...found.values()].map(({ text, beside }) => [text, beside])).toEqual([
    ['one\u2028 "é"', []],
    ['two', ['reasoning']],
    ['three', []],
  ]);
});

test('a text that is missing, torn, of another kind or not that of the answer is absent', async () => {
  const rows = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => row(id, `text of ${id}`));
  const file = await write(
    'i0-0.texts',
    line('a', 'another text') +
      line('b', 'text of b', { beside: ['whale song'] }) +
      line('c', 'text of c', { schema: 'weighbridge.text/2' }) +
      `${line('d', 'text of d').slice(0, 40)}\n` +
      line('e', 'text of e') +
      line('x', 'of no row') +
      line('f', 'text of f').slice(0, -5),
  );
  const files = [join(dir, 'gone.texts'), dir, file];
  expect([...(await readAnswerTexts(files, rows)).keys()]).toEqual(['e']);
  const untold = rows.map((each) => ({ ...each, text_sha256: null }));
  expect((await readAnswerTexts(files, untold)).size).toBe(0);
});

test.each(['../i0-0.texts', '/etc/passwd', 'far/i0-0.texts', '..', '.', ''])(
  'a name that leads elsewhere is no place of a text: %j',
  async (ref) => {
    expect(answerTextFile('/run/calls/i0-0.ndjson', ref)).toBeNull();
    await write('i0-0.ndjson', `${JSON.stringify(row('a', 'x', ref))}\n`);
    expect((await loadLedger(dir)).text_files).toEqual([]);
  },
);
