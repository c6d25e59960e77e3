import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { UNWATCHED } from '../../src/app/notices/unwatched.test-support.ts';
import { runProgram } from '../../src/cli/program.ts';
import { parseTarget } from '../../src/config/target-bases.ts';
import { LEDGER_SCHEMA } from '../../src/contracts/schema-names.ts';
import { markerOf } from '../../src/core/marker.ts';
import { formatInstant } from '../../src/core/time.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { planTarget } from '../../src/plan/plan-target.ts';
import { cutRow } from '../../src/reconcile/rows.test-support.ts';
import { planOf, stateOf } from '../../src/workload/plan.test-support.ts';
import { scratchDir } from '../support/run-weighbridge.ts';

const NONCE = 'nonce-of-the-run';
const coverage = z.object({
  coverage: z.object({ to_the_digit: z.number(), within_bounds: z.number() }),
  findings: z.array(z.object({ class: z.string() })),
});

/** The gateway stands for the one under test and, by its journal, for the one behind it: it counts what it delivered. */
test('what the upstream counted turns a cut stream from bounds into an exact charge', async () => {
  const dir = scratchDir();
  const journal = join(dir, 'upstream.ndjson');
  const running = await startGateway({ port: 0, seed: 3, latency: 'realistic', journalPath: journal });
  let open = true;
  const close = async (): Promise<void> => {
    if (open) await running.close();
    open = false;
  };
  onTestFinished(close);
  const { base_url, api_key } = running.ready;
  const prompt = `${markerOf(NONCE, 'call-cut')} Tell me of a mill, at length.`;
  const startedMs = Date.now();
  const stop = new AbortController();
  const answer = await fetch(`${base_url}/v1/chat/completions`, {
    method: 'POST',
    signal: stop.signal,
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'aspen-mini',
      stream: true,
      max_tokens: 4000,
      messages: [{ role: 'user', content: prompt }],
    }),
  });
  const requestId = answer.headers.get('x-request-id') ?? '';
  expect(requestId).not.toBe('');
  // Two events in, the client goes away.
  const reader = answer.body?.getReader();
  await reader?.read();
  await reader?.read();
  stop.abort();
  await expect.poll(() => readFileSync(journal, 'utf8')).toContain(requestId);

  const run = join(dir, 'run');
  mkdirSync(join(run, 'calls'), { recursive: true });
  const row = cutRow('cut', {
    call_id: 'call-cut',
    logical_id: 'call-cut',
    run_id: 'run',
    instance: 'i0',
    model: 'aspen-mini',
    started_at: formatInstant(startedMs),
    end_ms: Date.now() - startedMs,
    request_id: requestId,
    request_ids: [requestId],
    prompt_bytes: 200,
  });
  const header = {
    schema: LEDGER_SCHEMA,
    run_id: 'run',
    instance: 'i0',
    file: 0,
    segment: '0:1',
    seed: 1,
    clock: { wall: formatInstant(startedMs), mono_ms: 0 },
    plan_hash: 'h',
    key_fp: null,
    cores: 2,
    versions: { weighbridge: '0', k6: '2', go: '1' },
  };
  const lines = [header, row, stateOf({ instance: 'i0', run_id: 'run' })];
  writeFileSync(join(run, 'calls/i0-0.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const reading = parseTarget(base_url);
  if ('fault' in reading) throw new Error(reading.fault);
  const target = planTarget({
    bases: reading.bases,
    name: null,
    key: 'exclusive',
    tokenizer: null,
    dialect: 'auto',
    headers: {},
    stream_end: null,
    permission: null,
    budget: null,
  });
  if (target === null) throw new Error('no target');
  writeFileSync(join(run, 'plan.json'), JSON.stringify(planOf({ run_id: 'run', nonce: NONCE, target })));

  const config = join(dir, 'weighbridge.yaml');
  writeFileSync(config, 'version: 1\nsettle: { wait: 3s, poll: 200ms }\n');
  const reconciled = async (...flags: readonly string[]) => {
    const said: string[] = [];
    const code = await runProgram(
      ['reconcile', '--ledger', run, '--config', config, '--state', join(dir, 'state'), '--json', ...flags],
      {
        out: (line) => said.push(line),
        err: (line) => said.push(line),
        ...UNWATCHED,
        width: 100,
        env: { WEIGHBRIDGE_API_KEY: api_key },
      },
    );
    return {
      code,
      said: said.join('\n'),
      ...coverage.parse(JSON.parse(readFileSync(join(run, 'result.json'), 'utf8'))),
    };
  };
  const bounds = await reconciled();
  // The one call was cut, so that none succeeded.
  expect(bounds).toMatchObject({ code: 4, findings: [], coverage: { to_the_digit: 0, within_bounds: 1 } });
  const exact = await reconciled('--upstream-journal', journal);
  expect(exact).toMatchObject({ code: 4, findings: [], coverage: { to_the_digit: 1, within_bounds: 0 } });
  // The copy is all that a later verdict needs.
  await close();
  writeFileSync(journal, '');
  expect(await reconciled()).toMatchObject({ coverage: { to_the_digit: 1 } });
  const none = await reconciled('--upstream-journal', join(dir, 'none'));
  expect(none).toMatchObject({ code: 2, said: expect.stringContaining('journal_missing') });
});
