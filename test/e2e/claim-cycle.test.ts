import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { UNWATCHED } from '../../src/app/notices/unwatched.test-support.ts';
import { runProgram } from '../../src/cli/program.ts';
import { readFaultPlan } from '../../src/gateway/faults/read-fault-plan.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

/** A failed job that is charged until its gateway stops, which gives it back; a call that is charged twice for good. */
const FAULTS = `faults:
  - { fault: sem.task_failed_200, select: { kind: image_job }, when: { nth: 2 } }
  - { fault: bill.late_refund, select: { kind: image_job }, when: { nth: 2 }, parameters: { after_ms: 86400000 } }
  - { fault: bill.double_charge, select: { kind: chat }, when: { nth: 3 } }
`;
const CONFIG = `version: 1
duration: 2s
settle: { wait: 20s, poll: 500ms }
billing: { readings: { amount: net }, deadlines: { class: { failed_task_not_refunded: 1ms } } }
traffic:
  - { kind: chat, rate: 3/s, stream: 0 }
  - { kind: image_job, rate: 1/s }
`;

const bundled = z.object({
  bundle: z
    .object({
      id: z.string(),
      file: z.string().nullable(),
      claims: z.number(),
      claimed_usd: z.string().nullable(),
    })
    .nullable(),
});
const listed = z.object({
  targets: z.array(
    z.object({
      claims: z.array(
        z.object({
          claim: z.object({ class: z.string(), amount: z.string(), request_id: z.string() }),
          state: z.string(),
          credited: z.string(),
        }),
      ),
    }),
  ),
});

test('an overcharge is found, bundled and sent; its refund credits it, and no later audit claims it again', async () => {
  const dir = scratchDir();
  const gateway = (port: number, faults?: string) =>
    startGateway({
      port,
      seed: 5,
      latency: 'fast',
      dataDir: join(dir, 'gateway'),
      ...(faults === undefined ? {} : { faults: readFaultPlan({ text: faults, file: 'faults.yaml' }) }),
    });
  const first = await gateway(0, FAULTS);
  let stop = () => first.close();
  onTestFinished(() => stop());
  const { base_url, api_key } = first.ready;
  const config = join(dir, 'weighbridge.yaml');
  writeFileSync(config, CONFIG);
  const [out, state] = [join(dir, 'reports'), join(dir, 'state')];
  const env = { WEIGHBRIDGE_API_KEY: api_key };
  const weighbridge = async (...args: readonly string[]) => {
    const said: string[] = [];
    const status = await runProgram([...args, '--state', state, '--json'], {
      out: (line) => said.push(line),
      err: (line) => said.push(line),
      ...UNWATCHED,
      width: 400,
      env,
    });
    return { status, said: said.join('\n'), last: said.at(-1) ?? '' };
  };
  const bundle = async (run: string) => {
    const { last, said } = await weighbridge('report', '--out', out, '--run', run, '--bundle');
    return { ...bundled.parse(JSON.parse(last)), said };
  };
  const claims = async () => {
    const { last } = await weighbridge('claims', '--target', base_url);
    return listed.parse(JSON.parse(last)).targets.flatMap((target) => target.claims);
  };

  const audited = await runWeighbridge(
    [
      ...['audit', '--config', config, '--target', base_url, '--max-spend-usd', '20', '--seed', '1'],
      ...['--out', out, '--state', state, '--json'],
    ],
    { env },
  );
  expect(audited.status, audited.stderr).toBe(5);
  const { run_id } = verdictOf(audited);
  const made = await bundle(run_id);
  expect(existsSync(made.bundle?.file ?? '')).toBe(true);
  // The gateway publishes its rounding and its price editions, and the configuration declares the rest.
  expect(made.bundle?.claimed_usd).toMatch(/^0\.\d+$/);
  await weighbridge('claims', 'sent', made.bundle?.id ?? '');
  const sent = await claims();
  expect(sent.map(({ claim, state: now, credited }) => [claim.class, now, credited]).sort()).toEqual([
    ['duplicate_charge', 'sent', '0'],
    ['failed_task_not_refunded', 'sent', '0'],
  ]);

  await first.close();
  const second = await gateway(Number(new URL(base_url).port));
  stop = () => second.close();
  const looked = await weighbridge('reconcile', '--run', run_id, '--config', config, '--out', out);
  expect(looked.status, looked.said).toBe(5);
  const after = await claims();
  const of = (name: string) => after.find(({ claim }) => claim.class === name);
  expect(of('duplicate_charge')).toMatchObject({ state: 'sent', credited: '0' });
  const job = of('failed_task_not_refunded');
  expect(job).toMatchObject({ state: 'credited', credited: job?.claim.amount });

  // By the run and by the month alike.
  const month = await weighbridge(
    ...['reconcile', '--month', new Date().toISOString().slice(0, 7), '--target', base_url],
    ...['--config', config, '--out', out],
  );
  expect(month.said).toContain('duplicate_charge');
  for (const run of [run_id, verdictOf({ ...audited, stdout: month.last }).run_id]) {
    const again = await bundle(run);
    expect(again.bundle, again.said).toBeNull();
    expect(again.said).toContain('claimed before:');
  }
  expect(await claims()).toEqual(after);
});
