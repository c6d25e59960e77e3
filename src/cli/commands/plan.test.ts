import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readPlan } from '../../app/folder/run-folder.ts';
import { UNWATCHED } from '../../app/notices/unwatched.test-support.ts';
import { startGateway } from '../../gateway/start-gateway.ts';
import { runProgram } from '../program.ts';

async function planned(env: Readonly<Record<string, string>>, ...flags: readonly string[]) {
  const said: string[] = [];
  const code = await runProgram(['plan', ...flags], {
    out: (line) => said.push(line),
    err: (line) => said.push(line),
    ...UNWATCHED,
    width: 100,
    env,
  });
  return { code, said: said.join('\n') };
}

test('--out writes the plan alone, and only one that can be driven', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-plan-out-'));
  const { ready, close } = await startGateway({ port: 0, seed: 1 });
  onTestFinished(async () => {
    await close();
    rmSync(dir, { recursive: true });
  });
  const env = { WEIGHBRIDGE_API_KEY: ready.api_key };
  const file = join(dir, 'by-hand/plan.json');
  const gone = await planned(env, '--out', file);
  expect(gone).toMatchObject({ code: 2, said: expect.stringContaining('target_missing') });
  // It would spend without a bound.
  const uncapped = await planned(env, '--out', file, '--target', ready.base_url);
  expect(uncapped).toMatchObject({ code: 2, said: expect.stringContaining('max-spend-usd') });
  expect(existsSync(file)).toBe(false);
  const folder = await planned(env, '--out', dir, '--target', ready.base_url, '--max-spend-usd', '2');
  expect(folder).toMatchObject({ code: 2, said: expect.stringContaining('plan_not_written') });
  const { code } = await planned(env, '--out', file, '--target', ready.base_url, '--max-spend-usd', '2');
  expect(code).toBe(0);
  expect(readPlan(join(dir, 'by-hand'))).toMatchObject({ cap: { max_spend_usd: '2' } });
});

test('--instances takes the whole cap of the budget, and puts what another machine needs beside the plan', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-plan-instances-'));
  const { ready, close } = await startGateway({ port: 0, seed: 1 });
  onTestFinished(async () => {
    await close();
    rmSync(dir, { recursive: true });
  });
  const env = { WEIGHBRIDGE_API_KEY: ready.api_key };
  writeFileSync(join(dir, 'questions.txt'), 'one\ntwo\n');
  const config = join(dir, 'weighbridge.yaml');
  writeFileSync(
    config,
    `version: 1
target: { url: ${ready.base_url}, budget: { usd_per_hour: "3", usd_per_day: "3" } }
traffic:
  - { kind: chat, rate: 1/s, prompts: { file: questions.txt } }
`,
  );
  const state = join(dir, 'state');
  const of = (name: string, ...flags: readonly string[]) =>
    planned(
      env,
      ...['--config', config, '--max-spend-usd', '2', '--state', state],
      ...['--out', join(dir, name, 'plan.json'), ...flags],
    );
  const first = await of('a', '--instances', '3');
  expect(first).toMatchObject({
    code: 0,
    said: expect.stringContaining('3 instances of k6 share the starts'),
  });
  expect(first.said).toContain(
    'each may spend $0.666666666666 of the cap, and no other takes what it leaves',
  );
  expect(first.said).toContain(
    'The budget reserves the whole cap of $2 until you run `weighbridge reconcile --ledger',
  );
  const plan = readPlan(join(dir, 'a'));
  expect(readFileSync(join(dir, 'a/plan.json'), 'utf8')).toMatch(/^\{"schema":"weighbridge.plan\/1",.*\}\n$/);
  const prompts = plan.workload.scenarios[0]?.text?.prompts;
  expect(prompts?.sha256).toHaveLength(64);
  expect(readFileSync(join(dir, `a/prompts-${prompts?.sha256.slice(0, 16)}.txt`), 'utf8')).toBe('one\ntwo\n');
  const second = await of('b', '--instances', '3');
  expect(second).toMatchObject({ code: 6, said: expect.stringContaining('budget_exhausted') });
  expect(existsSync(join(dir, 'b/plan.json'))).toBe(false);
  // One k6 by hand, as before: nothing is taken, and prompts stay where they are.
  expect(await of('c')).toMatchObject({ code: 0 });
  expect(readdirSync(join(dir, 'c'))).toEqual(['plan.json']);
  expect(await of('d', '--instances', 'many')).toMatchObject({
    code: 2,
    said: expect.stringContaining('bad_flag'),
  });
});

test('--cover prices prints what the page shows, and sends no call', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/spend.md'), 'utf8');
  const [command = '', ...lines] = (/```text\n\$ (.*?)\n```/s.exec(page)?.[1] ?? '').split('\n');
  expect(command).toBe('weighbridge plan --cover prices');
  expect(lines.length).toBeGreaterThan(3);
  const { code, said } = await planned({}, '--cover', 'prices');
  expect(code).toBe(0);
  const printed = said.split('\n');
  expect(lines.filter((line) => !printed.includes(line))).toEqual([]);
  expect((await planned({}, '--cover', 'prices', '--out', 'plan.json')).code).toBe(2);
  expect((await planned({}, '--cover', 'models')).code).toBe(2);
  const json = await planned({}, '--cover', 'prices', '--json');
  expect(JSON.parse(json.said)).toMatchObject({ lines: { of: expect.any(Number) }, usd: expect.any(String) });
});
