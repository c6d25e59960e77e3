import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Finished, ROOT, runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

const resultSchema = z.object({
  exit_codes: z.array(z.object({ code: z.number(), why: z.string() })),
  baseline: z.object({ run_id: z.string() }),
});

const PAGE = readFileSync(join(ROOT, 'docs/compare.md'), 'utf8');
const CONFIG = `version: 1
duration: 1s
settle: { wait: 10s, poll: 500ms }
traffic:
  - { kind: chat, rate: 40/s }
`;
/** Half of the calls fail, and are charged nothing: every charge matches the price list. */
const FAULTS = 'faults: [{ fault: http.422, select: { paid: true }, when: { every: 2 } }]\n';

test('run and audit end with 4 where they are worse than their baseline, last-good or by its id, and with 0 where not', async () => {
  const dir = scratchDir();
  const [config, faults] = [join(dir, 'weighbridge.yaml'), join(dir, 'faults.yaml')];
  writeFileSync(config, CONFIG);
  writeFileSync(faults, FAULTS);
  const weighbridge = (...args: readonly string[]) =>
    runWeighbridge([...args, '--config', config, '--out', join(dir, 'reports'), '--seed', '1', '--json']);
  const held = (command: string, baseline: string, ...more: readonly string[]) =>
    weighbridge(command, '--baseline', baseline, '--max-regression', 'chat.error_share=10%', ...more);
  const [, shown = ''] = /^ {4}weighbridge (run --baseline .+)$/m.exec(PAGE) ?? [];
  const first = await weighbridge(...shown.split(' '));
  expect(first).toMatchObject({ status: 0, stderr: expect.stringContaining('no baseline yet') });
  const { run_id } = verdictOf(first);

  // Each drives a gateway of its own.
  const worse = ['--faults', faults];
  const [goodRun, badRun, goodAudit, badAudit] = await Promise.all([
    held('run', run_id),
    held('run', 'last-good', ...worse),
    held('audit', run_id),
    held('audit', run_id, ...worse),
  ]);
  for (const good of [goodRun, goodAudit])
    expect(outcome(good)).toEqual({ status: 0, exits: [], baseline: run_id });
  for (const bad of [badRun, badAudit]) {
    const { status, exits, baseline } = outcome(bad);
    // The good ones beside it may have ended before it asks for the last of them.
    expect([run_id, ...[goodRun, goodAudit].map((good) => verdictOf(good).run_id)]).toContain(baseline);
    const why = `chat: error_share is 0.5, up from 0 in run ${baseline}, at most +10 % allowed`;
    expect({ status, exits }).toEqual({ status: 4, exits: [{ code: 4, why }] });
  }
});

function outcome(finished: Finished) {
  const { exit_codes: exits, baseline } = resultSchema.parse(
    JSON.parse(readFileSync(verdictOf(finished).result, 'utf8')),
  );
  return { status: finished.status, exits, baseline: baseline.run_id };
}
