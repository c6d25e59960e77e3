import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { ruleGroups } from '../../src/dashboards/rules/rule-groups.ts';
import { GatewayProcess, type ReadyLine } from '../support/gateway-process.ts';
import { ProbeProcess } from '../support/probe-process.ts';
import { PrometheusProcess } from '../support/prometheus-process.ts';
import { listFiles, ROOT, runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

/** A load run can cause it; with a task that does not end it fires without doing anything else. */
const HELD = 'WeighbridgeTaskStuck';
const TOKEN = 'push-token-4711-of-this-test';

/** The held alert and the record that holds it, ten minutes in a second. */
function rules(): string {
  const wanted = ruleGroups({ timeScale: 1 / 600 })
    .flatMap((group) => group.rules)
    .filter((rule) => ('alert' in rule ? rule.alert === HELD : rule.record.endsWith('load_run:active')));
  return stringify({ groups: [{ name: 'held', interval: '250ms', rules: wanted }] });
}

function daemonOn(dir: string, { base_url, api_key }: ReadyLine): ProbeProcess {
  const file = join(dir, 'probe.yaml');
  // The same gateway as that of the run, written another way.
  const url = `${base_url.replace('http:', 'HTTP:')}/v1/`;
  writeFileSync(
    file,
    `version: 1
probe:
  targets:
    - name: main
      url: ${url}
      key: env:GATEWAY_KEY
      budget: { usd_per_hour: "50", usd_per_day: "500" }
      videos: { models: ["quartz-lite:i2v"], every: 10s }
      free: { models: off, pricebook: off, usage: off, usage_requests: off, account: off }
      negative: { rules: [] }
`,
  );
  return new ProbeProcess(['--config', file, '--listen', '127.0.0.1:0', '--state', join(dir, 'state')], {
    GATEWAY_KEY: api_key,
  });
}

/** Lets nothing through to Prometheus but what carries the token. */
async function guarded(behind: string): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      if (request.headers.authorization !== `Bearer ${TOKEN}`) {
        response.writeHead(401).end();
        return;
      }
      const { 'content-encoding': encoding = '', 'content-type': type = '' } = request.headers;
      const answer = await fetch(`${behind}${request.url}`, {
        method: 'POST',
        headers: { 'content-encoding': encoding, 'content-type': type },
        body: Buffer.concat(chunks),
      });
      response.writeHead(answer.status).end(await answer.text());
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  return `http://127.0.0.1:${address.port}/api/v1/write`;
}

const boardSchema = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
  annotations: z.object({ list: z.array(z.object({ expr: z.string().optional() })) }),
});

/** Every query of the board as Grafana sends it, with what it is of. */
function queriesOf(testid: string): { readonly of: string; readonly expr: string }[] {
  const file = join(ROOT, 'dashboards/grafana/weighbridge-load.json');
  const board = boardSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const panels = board.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({ of: title, expr })),
  );
  const marks = board.annotations.list.flatMap(({ expr }) =>
    expr === undefined ? [] : [{ of: 'mark', expr }],
  );
  return [...panels, ...marks].map(({ of, expr }) => ({
    of,
    expr: expr.replaceAll('$testid', testid).replaceAll('$__rate_interval', '1m'),
  }));
}

test('a run stands on the load dashboard, ends there with it, and holds the alerts of its target meanwhile', async () => {
  const dir = scratchDir();
  const process_ = new GatewayProcess(join(dir, 'gateway'));
  onTestFinished(() => process_.end('SIGKILL'));
  const gateway = await process_.start();
  const slow = 'preset: fast\nvideo_run: { fixed: { ms: 120000 } }\n';
  const set = await fetch(`${gateway.control_url}/latency`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${gateway.control_token}` },
    body: slow,
  });
  expect(set.status).toBe(200);
  const daemon = daemonOn(dir, gateway);
  const scraped = new URL(await daemon.url()).host;
  const config = `global: { scrape_interval: 250ms, scrape_timeout: 250ms, evaluation_interval: 250ms }
scrape_configs: [{ job_name: weighbridge-probe, static_configs: [{ targets: ["${scraped}"] }] }]`;
  const prometheus = await PrometheusProcess.start(dir, { config, rules: rules() });
  const stuck = async () =>
    (await prometheus.alerts())
      .filter(({ labels }) => labels['alertname'] === HELD)
      .filter(({ state }) => state === 'firing')
      .map((one) => one.labels['target']);
  await expect.poll(stuck, { interval: 200 }).toEqual(['main']);

  const plan = join(dir, 'weighbridge.yaml');
  writeFileSync(
    plan,
    `version: 1
target: { url: "${gateway.base_url}/api", name: staging }
duration: 6s
spend: { max_usd: "5" }
metrics: { remote_write: { url: "${await guarded(prometheus.url)}", bearer_token: env:PUSH_TOKEN } }
objectives: [{ kind: chat, measure: ttft_ms, percentile: 95, max: 60000 }]
traffic: [{ kind: chat, model: aspen-mini, rate: 8/s, stream: 1, max_tokens: 20, prompt_tokens: 30 }]
`,
  );
  const from = Date.now() / 1000;
  let running = true;
  const run = runWeighbridge(['run', '--config', plan, '--out', join(dir, 'reports'), '--json'], {
    env: {
      WEIGHBRIDGE_API_KEY: gateway.api_key,
      PUSH_TOKEN: TOKEN,
      K6_PROMETHEUS_RW_PUSH_INTERVAL: '1s',
    },
  }).finally(() => {
    running = false;
  });
  await expect.poll(stuck, { interval: 100 }).toEqual([]);
  expect(running).toBe(true);
  const finished = await run;
  // A client that a busy machine starved leaves its objective open (7).
  expect([0, 7], finished.stderr).toContain(finished.status);
  const { run_id, dir: folder } = verdictOf(finished);

  // It has left Prometheus with its last push, and the alert speaks again.
  expect(await prometheus.query('{__name__=~"k6_weighbridge_.+"}')).toEqual([]);
  await expect.poll(stuck, { interval: 200 }).toEqual(['main']);

  const queries = queriesOf(run_id);
  expect(queries.length).toBeGreaterThan(20);
  const to = Date.now() / 1000;
  const answers = await Promise.all(
    queries.map(async ({ of, expr }) => ({ of, expr, found: await prometheus.range(expr, from, to) })),
  );
  const without = answers.filter(
    ({ found }) => !found.some(({ values }) => values.some(([, value]) => Number.isFinite(Number(value)))),
  );
  expect(without.map(({ of, expr }) => ({ of, expr }))).toEqual([]);

  const own = await prometheus.series('{__name__=~"k6_weighbridge_.+"}');
  expect(own.map(({ __name__ }) => __name__)).toContain('k6_weighbridge_ttft_seconds');
  const tags = own.map(({ testid, instance, target_name }) => [testid, instance, target_name].join(' '));
  expect([...new Set(tags)]).toEqual([`${run_id} i0 staging`]);
  const active = own.filter(({ __name__ }) => __name__ === 'k6_weighbridge_run_active');
  const bases = await prometheus.query('weighbridge_target_info');
  expect(active.map(({ target }) => target)).toEqual([bases[0]?.metric['base']]);

  const told = [...listFiles(folder).map((file) => readFileSync(file, 'utf8')), JSON.stringify(finished)];
  expect(told.filter((text) => text.includes(TOKEN))).toEqual([]);
});
