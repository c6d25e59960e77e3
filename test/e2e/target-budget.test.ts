import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { GatewayProcess } from '../support/gateway-process.ts';
import { type Finished, listFiles, runWeighbridge, scratchDir } from '../support/run-weighbridge.ts';

test('a run has its whole cap in the budget or sends nothing; a killed one keeps it until it is settled by its ledger', async () => {
  const gateway = new GatewayProcess(scratchDir());
  onTestFinished(() => gateway.end('SIGKILL'));
  const { base_url, api_key } = await gateway.start();
  const [out, state] = [scratchDir(), scratchDir()];
  const config = join(out, 'weighbridge.yaml');
  writeFileSync(
    config,
    `version: 1\ntarget: { url: ${base_url}, budget: { usd_per_hour: "30", usd_per_day: "30" } }\n`,
  );
  const env = { WEIGHBRIDGE_API_KEY: api_key };
  const places = ['--out', out, '--state', state];
  const args = ['run', '--config', config, '--max-spend-usd', '30', '--json', ...places];
  const lines = () =>
    listFiles(state)
      .filter((file) => file.endsWith('budget.ndjson'))
      .flatMap((file) => readFileSync(file, 'utf8').split('\n'));

  const engine = () => {
    const mark = listFiles(state).find((file) => file.endsWith('k6.running')) ?? '';
    return z.object({ id: z.string(), pid: z.number() }).parse(JSON.parse(readFileSync(mark, 'utf8')));
  };

  let beside: Promise<Finished> | null = null;
  const killed = await runWeighbridge([...args, '--duration', '60s'], {
    env,
    onStart: (child) => {
      child.stderr?.on('data', (text: string) => {
        // k6 has begun to send.
        if (!/started \d+ of/.test(text) || beside !== null) return;
        beside = runWeighbridge([...args, '--duration', '1s'], { env }).finally(() => {
          // Held up, so that it is seen to outlive its command.
          process.kill(engine().pid, 'SIGSTOP');
          child.kill('SIGKILL');
        });
      });
    },
  });
  expect(await beside).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(
      /weighbridge run \(process \d+ on \S+\) holding it since[\s\S]*target_in_use/,
    ),
  });
  expect(killed.status).toBeNull();
  expect(lines().filter((line) => line.includes('"reserved"'))).toHaveLength(1);

  const again = () => runWeighbridge([...args, '--duration', '1s'], { env });
  const { id, pid } = engine();
  const early = await again();
  process.kill(pid, 'SIGCONT');
  expect(early.status).toBe(2);
  expect(early.stderr).toContain(
    `the last calls of run ${id}, whose command was killed: k6 (process ${pid} on`,
  );
  let refused = early;
  while (refused.stderr.includes('target_in_use')) refused = await again();
  expect(refused.status).toBe(6);
  expect(refused.stderr).toContain('$0 of $30 is left in this hour');

  const run = /run (\S+): testing/.exec(killed.stderr)?.[1] ?? '';
  for (;;) {
    const settled = await runWeighbridge(['reconcile', '--run', run, ...places], { env });
    // Its load engine ended as an interrupted one, or was still ending.
    expect([1, 7, 130]).toContain(settled.status);
    if (!settled.stderr.includes('its load engine has not ended')) break;
  }
  const [line = ''] = lines().filter((each) => each.includes('"settled"'));
  expect(line).toMatch(/"cost_pusd":"\d+"/);
  expect(lines().filter((each) => each.includes('"settled"'))).toHaveLength(1);
});
