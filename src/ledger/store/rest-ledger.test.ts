import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { INTENT_SCHEMA } from '../../contracts/schema-names.ts';
import { restLedger } from '../../reconcile/clean-rows/read-rest.ts';
import { wholeParts } from './line-part.test-support.ts';
import { pickLines } from './pick-lines.ts';

function intent(callId: string): string {
  return JSON.stringify({
    schema: INTENT_SCHEMA,
    run_id: 'run',
    instance: 'one',
    call_id: callId,
    logical_id: callId,
    attempt: 1,
    kind: 'chat',
    model: 'text-1',
    key_fp: null,
    at: '2026-11-20T12:00:00.000Z',
    worst_case_usd: null,
    prompt_bytes: 1,
    max_tokens: null,
    units: null,
    watermark: null,
  });
}

let file: string;
beforeAll(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'weighbridge-rest-')), 'calls.ndjson');
  writeFileSync(
    file,
    `${['a', 'b', 'b', 'c'].map((id) => `${intent(id)}\n`).join('')}{"schema":"weighbridge.new/9"}\n`,
  );
});

test('gives picked lines as the loader does, a second intent with its place', async () => {
  const told = new Map<number, string | null>();
  const ledger = await restLedger(
    pickLines(wholeParts([file]), [1, 2, 4]),
    (place, id) => told.set(place, id),
    [],
    new Map(),
  );
  expect([...told]).toEqual([
    [1, '"b"'],
    [2, '"b"'],
  ]);
  expect(ledger.intents.map(({ call_id }) => call_id)).toEqual(['b']);
  expect(ledger.problems).toEqual([{ file, line: 3, what: 'second intent of call b', gap: false }]);
  expect(ledger.unknown_lines).toBe(1);
});
