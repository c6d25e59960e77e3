import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { isPaidKind } from '../../src/core/call-kind.ts';
import { loadLedger } from '../../src/ledger/load-ledger.ts';
import { runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

const resultSchema = z.object({
  findings: z.array(z.object({ class: z.string(), gates: z.boolean() })),
});

test.for([
  { signals: 1, title: 'once: calls in flight finish, nothing new starts' },
  { signals: 2, title: 'twice: calls in flight are cut, and still every intent has its row' },
])('Ctrl-C $title; a partial report and exit 130', async ({ signals }) => {
  const out = scratchDir();
  const finished = await runWeighbridge(['audit', '--duration', '40s', '--out', out, '--json'], {
    onStart(child) {
      let asked = 0;
      child.stderr?.on('data', (text: Buffer) => {
        // The first progress line that reports started calls is the event to interrupt at.
        if (asked === 0 && /started [1-9]/.test(text.toString())) {
          asked = 1;
          child.kill('SIGINT');
        } else if (asked === 1 && signals === 2 && /draining/.test(text.toString())) {
          asked = 2;
          child.kill('SIGINT');
        }
      });
    },
  });
  const verdict = verdictOf(finished);
  expect({ status: finished.status, codes: verdict.exit_codes.includes(130) }).toEqual({
    status: 130,
    codes: true,
  });
  const ledger = await loadLedger(verdict.dir);
  const rows = new Set(ledger.rows.map((row) => row.call_id));
  expect(ledger.intents.filter((intent) => !rows.has(intent.call_id))).toEqual([]);
  const interrupted = ledger.rows.filter((row) => isPaidKind(row.kind) && row.outcome === 'interrupted');
  if (signals === 1) expect(interrupted).toEqual([]);
  const result = resultSchema.parse(JSON.parse(readFileSync(verdict.result, 'utf8')));
  // Jobs that were cut are still running at the gateway: their reserve is open, and judged later.
  expect(result.findings.filter((finding) => finding.gates)).toEqual([]);
});
