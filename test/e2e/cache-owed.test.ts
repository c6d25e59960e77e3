import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { UNWATCHED } from '../../src/app/notices/unwatched.test-support.ts';
import { runProgram } from '../../src/cli/program.ts';
import { cacheSchema } from '../../src/contracts/cache-result.ts';
import { formatAmount, parseAmount } from '../../src/core/amount.ts';
import { promptText } from '../../src/core/prompt-text.ts';
import { readFaultPlan } from '../../src/gateway/faults/read-fault-plan.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { weighed } from '../../src/record/record.ts';
import { scratchDir } from '../support/run-weighbridge.ts';

const last = z.object({ result: z.string(), cache: z.object({ lost_usd: z.unknown() }).optional() });
const resultSchema = z.object({
  cache: cacheSchema,
  findings: z.array(z.object({ class: z.string() })),
  coverage: z.object({ to_the_digit: z.number().nullable() }),
});
const journalFault = z.object({ type: z.literal('fault'), fault: z.string(), delta: z.string() });

/** Texts that many calls begin with, of 1,200 to 2,000 tokens, and how many calls are made. */
const TEXTS = 3;
const CALLS = 24;

/** Calls of a program, one after the other, through `weighbridge/record`; half of the hits are kept back. */
async function audited(seed: number, faults: string, model: string) {
  const dir = scratchDir();
  const journal = join(dir, 'journal.ndjson');
  const plan = readFaultPlan({ text: faults, file: 'faults.yaml' });
  const running = await startGateway({ port: 0, seed, latency: 'fast', journal, faults: plan });
  onTestFinished(() => running.close());
  const { base_url, api_key } = running.ready;
  const fetch = weighed({ dir: join(dir, 'ledger') });
  for (let call = 0; call < CALLS; call += 1) {
    const text = call % TEXTS;
    const answer = await fetch(`${base_url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model,
        max_tokens: 20,
        messages: [
          { role: 'system', content: promptText(6000 + 2000 * text, seed, text) },
          { role: 'user', content: `Question ${call}: what of the mill?` },
        ],
      }),
    });
    expect(answer.status).toBe(200);
    await answer.text();
  }
  expect(fetch.counts).toMatchObject({ rows: CALLS, failures: 0 });
  const second = Math.ceil(Date.now() / 1000 + 0.001) * 1000;
  while (Date.now() < second) await new Promise((resolve) => setTimeout(resolve, second - Date.now()));
  const said: string[] = [];
  const args = ['--ledger', join(dir, 'ledger'), '--target', base_url, '--out', join(dir, 'reports'), '--state', join(dir, 'state')];
  const code = await runProgram(['reconcile', ...args, '--json'], {
    out: (line) => said.push(line),
    err: (line) => said.push(line),
    ...UNWATCHED,
    width: 200,
    env: { WEIGHBRIDGE_API_KEY: api_key },
  });
  const told = last.parse(JSON.parse(said.at(-1) ?? ''));
  const kept = readFileSync(journal, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : (journalFault.safeParse(JSON.parse(line)).data ?? [])));
  return {
    code,
    said: said.join('\n'),
    json: told,
    result: resultSchema.parse(JSON.parse(readFileSync(told.result, 'utf8'))),
    report: readFileSync(join(told.result, '../report.md'), 'utf8'),
    ledger: fetch,
    rows: readLedger(join(dir, 'ledger')),
    withheld: formatAmount(kept.reduce((sum, { delta }) => sum + (parseAmount(delta) ?? 0n), 0n)),
    fired: kept.length,
  };
}
