import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { promptText } from '../../src/core/prompt-text.ts';
import { weighed } from '../../src/record/record.ts';
import { ProbeProcess } from '../support/probe-process.ts';
import { type Finished, ROOT, runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';
import { type WornGateway, wornGateway } from '../support/worn-gateway.ts';

const FAMILIES = ['new-api', 'litellm'] as const;
type Family = (typeof FAMILIES)[number];

const COMMANDS = [
  'doctor',
  'init',
  'plan',
  'run',
  'audit',
  'probe',
  'pull',
  'reconcile --month',
  '--records',
];

const resultSchema = z.object({
  money: z.looseObject({
    expected: z.string().nullable(),
    charged: z.string(),
    by_model: z.array(z.looseObject({ model: z.string().nullable() })),
  }),
  findings: z.array(z.looseObject({ class: z.string(), severity: z.string() })),
});

const PAGE = readFileSync(join(ROOT, 'docs/dialects.md'), 'utf8');

function configured(dir: string, traffic: readonly object[]): string {
  const path = join(dir, 'weighbridge.yaml');
  // JSON is YAML.
  writeFileSync(path, JSON.stringify({ version: 1, target: { key: 'exclusive' }, duration: '4s', traffic }));
  return path;
}

const CHAT = { kind: 'chat', rate: '2/s', stream: 0.5 };
const VIDEO = { kind: 'video', rate: '60/min' };

function resultOf(finished: Finished): z.infer<typeof resultSchema> {
  return resultSchema.parse(JSON.parse(readFileSync(verdictOf(finished).result, 'utf8')));
}

/** The commands on one gateway, each with the state and the folders of this test alone. */
function commandsOn({ url, env }: WornGateway, dir: string) {
  const state = ['--state', join(dir, 'state')];
  return {
    plain: (...args: readonly string[]) => runWeighbridge([...args, '--target', url], { env, cwd: dir }),
    kept: (...args: readonly string[]) =>
      runWeighbridge([...args, '--target', url, '--out', join(dir, 'out'), ...state, '--json'], {
        env,
        cwd: dir,
      }),
    pulled: () => runWeighbridge(['pull', '--target', url, ...state, '--json'], { env, cwd: dir }),
  };
}

test.each(FAMILIES)('every cell of the table of commands for %s', async (family) => {
  const gateway = await wornGateway(family);
  const dir = scratchDir();
  const config = configured(dir, [CHAT]);
  const { plain, kept, pulled } = commandsOn(gateway, dir);
  const cells = new Map<string, string>();
  const cell = (command: string, { status, stdout, stderr }: Finished): void => {
    cells.set(command, status === 0 ? 'works' : `exit ${status}: ${stdout}${stderr}`);
  };

  const doctor = await plain('doctor', '--config', config);
  expect(doctor.stdout).toContain(`(dialect ${family})`);
  cell('doctor', doctor);
  cell('init', await plain('init', '--out', join(dir, 'made.yaml')));
  cell('plan', await plain('plan', '--config', config));
  cell('run', await kept('run', '--config', config, '--max-spend-usd', '1'));
  const audit = await kept('audit', '--config', config, '--max-spend-usd', '1');
  cell('audit', audit);
  const { money, findings } = resultOf(audit);
  expect(findings).toEqual([]);
  expect(money.charged).toBe(money.expected);
  expect(Number(money.charged)).toBeGreaterThan(0);
  cell('pull', await pulled());
  const month = new Date().toISOString().slice(0, 7);
  const past = await kept('reconcile', '--month', month, '--config', config);
  expect(resultOf(past).findings).toEqual([]);
  cell('reconcile --month', past);

  const log = join(dir, 'log.json');
  writeFileSync(log, await logOf(family, gateway));
  const prices = join(dir, 'prices.json');
  writeFileSync(prices, await pricesOf(family, gateway));
  const filed = await runWeighbridge(
    [
      ...['reconcile', '--month', month, '--records', log, '--records-mapping', family],
      ...['--pricebook', prices, '--config', config, '--out', join(dir, 'filed'), '--json'],
    ],
    { env: {}, cwd: dir },
  );
  expect(resultOf(filed).findings).toEqual([]);
  cell('--records', filed);

  const often = join(dir, 'probe.yaml');
  const free = { models: '10s', pricebook: '10s', usage_requests: '10s', account: '10s' };
  writeFileSync(often, JSON.stringify({ version: 1, probe: { free } }));
  const probe = new ProbeProcess(
    ['--config', often, '--target', gateway.url, '--state', join(dir, 'probe'), '--listen', '127.0.0.1:0'],
    gateway.env,
  );
  const metrics = `${await probe.url()}/metrics`;
  cells.set('probe', await freeProbesOf(metrics, family));

  expect(Object.fromEntries(cells)).toEqual(Object.fromEntries(COMMANDS.map((each) => [each, 'works'])));
  // The page says what was seen.
  for (const command of COMMANDS) {
    const row = PAGE.split('\n').find((line) => line.startsWith(`| \`${command}\``)) ?? '';
    const [, , , newApi = '', litellm = ''] = row.split('|').map((each) => each.trim());
    expect(`${command}: ${family === 'new-api' ? newApi : litellm}`).toMatch(`${command}: works`);
  }
});

/** What `GET /api/log/self` and `/spend/logs` serve, as somebody would keep it. */
async function logOf(family: Family, { url, env }: WornGateway): Promise<string> {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const now = Date.now();
  const answer =
    family === 'new-api'
      ? await fetch(`${url}/api/log/token`, {
          headers: { authorization: `Bearer ${env['WEIGHBRIDGE_API_KEY']}` },
        })
      : await fetch(
          `${url}/spend/logs?start_date=${day(now - 86_400_000)}&end_date=${day(now + 86_400_000)}&summarize=false`,
          { headers: { authorization: `Bearer ${env['WEIGHBRIDGE_API_KEY']}` } },
        );
  expect(answer.status).toBe(200);
  return answer.text();
}

const deployments = z.object({
  data: z.array(z.looseObject({ model_name: z.string(), model_info: z.record(z.string(), z.unknown()) })),
});

const status = z.object({ data: z.looseObject({ quota_per_unit: z.number() }) });

/** The list of prices as a file. That of new-api is meant by the unit of its status, that of LiteLLM's proxy becomes the map that its project publishes. */
async function pricesOf(family: Family, { url, env }: WornGateway): Promise<string> {
  const headers = { authorization: `Bearer ${env['WEIGHBRIDGE_API_KEY']}` };
  if (family === 'new-api') {
    const list: unknown = await (await fetch(`${url}/api/pricing`)).json();
    const { data } = status.parse(await (await fetch(`${url}/api/status`)).json());
    return JSON.stringify({ ...Object(list), quota_per_unit: data.quota_per_unit });
  }
  const { data } = deployments.parse(await (await fetch(`${url}/model/info`, { headers })).json());
  const priced = data.map(({ model_name, model_info }) => {
    const { id: _, db_model: __, key: ___, ...prices } = model_info;
    return [model_name, prices];
  });
  return JSON.stringify(Object.fromEntries(priced));
}

/** `works` once each free read has been a success, or not there in this family. */
async function freeProbesOf(metrics: string, family: Family): Promise<string> {
  const wanted = ['models', 'pricebook', 'usage_requests', ...(family === 'new-api' ? ['account'] : [])];
  for (;;) {
    const text = await (await fetch(metrics)).text();
    const seen = (probe: string): string | undefined =>
      new RegExp(`^weighbridge_probe_success\\{probe="${probe}",.*\\} (\\d)$`, 'm').exec(text)?.[1];
    if (wanted.some((probe) => seen(probe) === '0')) return text.replaceAll(/^#.*\n/gm, '');
    if (wanted.every((probe) => seen(probe) === '1')) return 'works';
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test('doctor names the dialect and what it lacks; a plan is made without a read of the interface', async () => {
  const gateway = await wornGateway('new-api');
  const dir = scratchDir();
  const { plain } = commandsOn(gateway, dir);
  const doctor = await plain('doctor');
  expect(doctor.stdout).toContain('reserves, the calls of refunds without a log, and totals stand nowhere');
  const plan = await plain('plan', '--dialect', 'new-api', '--max-spend-usd', '1');
  expect(plan.status).toBe(0);
  // Named as it is not, it has no bill that can be read.
  const wrong = await plain('plan', '--dialect', 'interface', '--max-spend-usd', '1');
  expect(wrong.stdout + wrong.stderr).not.toBe(plan.stdout + plan.stderr);
});

/** What a gateway that does wrong is found to do: its faults, what is called, and the class with its number of findings. */
const WRONG: readonly (readonly [string, readonly object[], object, readonly string[]])[] = [
  ['nothing', [failed()], VIDEO, []],
  [
    'a refund that never comes',
    [failed(), every('bill.missing_refund', 1)],
    VIDEO,
    ['failed_task_not_refunded'],
  ],
  ['charges twice', [every('bill.double_charge', 4)], CHAT, ['duplicate_charge']],
  ['prices of its own', [every('bill.wrong_rate', 3)], CHAT, ['amount_mismatch']],
  ['records of no call', [every('bill.phantom_record', 4)], CHAT, ['phantom_record']],
  ['calls without a record', [every('bill.missing_record', 4)], CHAT, ['unrecorded_request']],
];

function every(fault: string, count: number, select: object = {}): object {
  return { fault, select, when: { every: count } };
}

/** Every second video fails, and is refunded by a row of its own. */
function failed(): object {
  return every('sem.task_failed_200', 2, { kind: 'video' });
}

test.each(WRONG)('new-api that does wrong: %s', async (_name, faults, traffic, classes) => {
  const dir = scratchDir();
  const plan = join(dir, 'faults.json');
  writeFileSync(plan, JSON.stringify({ faults }));
  const gateway = await wornGateway('new-api', ['--faults', plan]);
  const { kept } = commandsOn(gateway, dir);
  const config = configured(dir, [traffic]);
  const { money, findings } = resultOf(await kept('audit', '--config', config, '--max-spend-usd', '20'));
  expect([...new Set(findings.map((each) => each.class))]).toEqual(classes);
  if (classes.length === 0) expect(money.charged).toBe(money.expected);
});

test('images beside text are judged to the digit by the list of new-api', async () => {
  const gateway = await wornGateway('new-api');
  const dir = scratchDir();
  const config = configured(dir, [CHAT, { kind: 'image', rate: '60/min' }]);
  const { kept } = commandsOn(gateway, dir);
  const audit = await kept('audit', '--config', config, '--max-spend-usd', '20');
  expect(audit.status).toBe(0);
  const { money, findings } = resultOf(audit);
  expect(findings).toEqual([]);
  expect(money.charged).toBe(money.expected);
});

test("calls of another key of the account are nobody's phantoms: its log is read for our key alone", async () => {
  const gateway = await wornGateway('new-api');
  const key = await gateway.keyOf('plus');
  const dir = scratchDir();
  const { kept } = commandsOn({ ...gateway, env: { ...gateway.env, WEIGHBRIDGE_API_KEY: key } }, dir);
  let isOver = false;
  const audit = kept('audit', '--config', configured(dir, [CHAT]), '--max-spend-usd', '1').finally(() => {
    isOver = true;
  });
  let others = 0;
  for (; !isOver; others += 1) {
    const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.env['WEIGHBRIDGE_API_KEY']}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        model: 'elm/elm-8b-instruct',
        messages: [{ role: 'user', content: 'Hello' }],
        max_tokens: 4,
      }),
    });
    expect(answer.status).toBe(200);
    await answer.text();
  }
  const { money, findings } = resultOf(await audit);
  expect(others).toBeGreaterThan(10);
  expect(findings).toEqual([]);
  expect(money.charged).toBe(money.expected);
});

test.each([
  ['default', '1'],
  ['plus', '0.8'],
  ['bulk', '0.5'],
])('a key of the group %s of new-api, at %s of the list, is judged to the digit', async (group) => {
  const gateway = await wornGateway('new-api');
  const key = await gateway.keyOf(group);
  const dir = scratchDir();
  const { kept } = commandsOn({ ...gateway, env: { ...gateway.env, WEIGHBRIDGE_API_KEY: key } }, dir);
  const audit = await kept('audit', '--config', configured(dir, [CHAT]), '--max-spend-usd', '1');
  expect(audit.status).toBe(0);
  const { money, findings } = resultOf(audit);
  expect(findings).toEqual([]);
  expect(money.charged).toBe(money.expected);
});

test('streams that the client cuts are charged by an estimate of new-api, which accuses nobody', async () => {
  const gateway = await wornGateway('new-api');
  const dir = scratchDir();
  const cut = { kind: 'chat', rate: '3/s', stream: 1, abort: { share: 0.5, after_events: 3 } };
  const { kept } = commandsOn(gateway, dir);
  const audit = await kept('audit', '--config', configured(dir, [cut]), '--max-spend-usd', '1');
  expect(resultOf(audit).findings).toEqual([]);
  expect([0, 7]).toContain(audit.status);
});

test('three images of one call and writes for an hour, by a price list that is read twice in another order', async () => {
  const gateway = await wornGateway('new-api');
  const dir = scratchDir();
  const fetch = weighed({ dir: join(dir, 'ledger') });
  const post = async (path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.env['WEIGHBRIDGE_API_KEY']}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return answer.json();
  };
  const { kept, pulled } = commandsOn(gateway, dir);
  expect((await pulled()).status).toBe(0);
  await post('/v1/images/generations', {
    ...{ model: 'lumen-image-1.5', prompt: 'a mill', n: 3 },
    ...{ size: '1024x1024', quality: 'low' },
  });
  await post('/v1/chat/completions', {
    model: 'elm/elm-8b-instruct',
    messages: [{ role: 'user', content: 'Hello' }],
    max_tokens: 40,
  });
  const system = [
    { type: 'text', text: promptText(12_000, 7, 1), cache_control: { type: 'ephemeral', ttl: '1h' } },
  ];
  for (const content of ['What of the mill?', 'And of the weir?'])
    await post('/v1/messages', {
      ...{ model: 'cedar-sonnet', max_tokens: 20, system },
      messages: [{ role: 'user', content }],
    });
  const second = Math.ceil(Date.now() / 1000 + 0.001) * 1000;
  while (Date.now() < second) await new Promise((resolve) => setTimeout(resolve, second - Date.now()));
  const judged = await kept('reconcile', '--ledger', join(dir, 'ledger'));
  expect(judged.status).toBe(0);
  const { money, findings } = resultOf(judged);
  expect(findings).toEqual([]);
  const told = new Map(money.by_model.map(({ model, ...sums }) => [model, sums]));
  expect(told.get('lumen-image-1.5')).toMatchObject({ charged: '0.027', expected: '0.027', open: '0' });
  expect(told.get('elm/elm-8b-instruct')).toMatchObject({ open: '0' });
  // No ledger tells for how long a write is kept: it is due at the price of either.
  expect(told.get('cedar-sonnet')).toMatchObject({ difference: '0', open: '0.018352' });
});
