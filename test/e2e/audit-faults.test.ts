import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { gradeOf } from '../support/fault-corpus.ts';
import { readNdjson, runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

const journalLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('call'), request_id: z.string() }),
  z.object({
    type: z.literal('fault'),
    fault: z.string(),
    request_id: z.string(),
    parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    delta: z.string(),
  }),
]);
const findingLine = z.object({
  class: z.string(),
  request_id: z.string().nullable(),
  direction: z.string(),
  delta_exact: z.string().nullable(),
});

test('double charges and cut streams: exit 5, and the findings equal the journal', async () => {
  const out = scratchDir();
  const faults = join(out, 'faults.yaml');
  const journal = join(out, 'journal.ndjson');
  writeFileSync(
    faults,
    [
      'faults:',
      '  - {fault: bill.double_charge, when: {probability: 0.01}}',
      '  - {fault: bill.double_charge, select: {endpoint: /v1/chat/completions}, when: {nth: 9}}',
      '  - {fault: net.eof_clean, when: {probability: 0.08}, parameters: {after_events: 5}}',
      '  - {fault: net.fin_mid, when: {probability: 0.05}, parameters: {after_events: 4}}',
      '',
    ].join('\n'),
  );
  const finished = await runWeighbridge([
    'audit',
    '--duration',
    '30s',
    '--seed',
    '3',
    '--faults',
    faults,
    '--journal',
    journal,
    '--out',
    out,
    '--json',
  ]);
  const verdict = verdictOf(finished);
  expect({ status: finished.status, has5: verdict.exit_codes.includes(5) }).toEqual({
    status: 5,
    has5: true,
  });

  const fired = readNdjson(journal, journalLine).filter((line) => line.type === 'fault');
  expect(new Set(fired.map((line) => line.fault))).toEqual(
    new Set(['bill.double_charge', 'net.eof_clean', 'net.fin_mid']),
  );
  const due = fired
    .map((line) => ({ line, map: gradeOf(line) }))
    .filter(({ map }) => map.class !== null)
    .map(({ line, map }) => `${map.class} ${line.request_id} ${map.direction} ${line.delta}`)
    .sort();
  const found = readNdjson(join(verdict.dir, 'findings.ndjson'), findingLine)
    .map((finding) => `${finding.class} ${finding.request_id} ${finding.direction} ${finding.delta_exact}`)
    .sort();
  expect(due.length).toBeGreaterThan(0);
  expect(found).toEqual(due);
});
