import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { markerOf } from '../../src/core/marker.ts';
import { seededRandom } from '../../src/core/seeded-random.ts';
import { locateK6 } from '../../src/drive/locate-k6.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { loadLedger } from '../../src/ledger/load-ledger.ts';
import {
  cleanEnv,
  ROOT,
  readNdjson,
  runWeighbridge,
  scratchDir,
  verdictOf,
} from '../support/run-weighbridge.ts';

const KILLS = 50;
/** Kills at a time, each with a key and a ledger of its own: most of a kill is waiting for tasks to settle. */
const LANES = 5;
const callLine = z.looseObject({
  type: z.string(),
  request_id: z.string(),
  marker: z.string().nullish(),
  key_fp: z.string().nullish(),
});
const planOutput = z.object({ plan: z.looseObject({ run_id: z.string(), nonce: z.string() }) });
const resultSchema = z.object({
  money: z.object({ records: z.number(), foreign: z.object({ records: z.number() }) }),
  findings: z.array(z.unknown()),
});

/** Resolves when the file holds at least `count` lines that contain `text`; the ledger is written by k6 in small appends. */
async function waitForLines(dir: string, text: string, count: number, giveUp: AbortSignal): Promise<void> {
  for (;;) {
    const lines = existsSync(dir)
      ? readdirSync(dir).flatMap((name) =>
          readFileSync(join(dir, name), 'utf8')
            .split('\n')
            .filter((line) => line.includes(text)),
        )
      : [];
    if (lines.length >= count || giveUp.aborted) return;
    await new Promise((next) => setTimeout(next, 5));
  }
}

test(`${KILLS} kill -9 of k6: intents and rows cover every paid call the gateway received, and reconcile accounts for every record`, async () => {
  const out = scratchDir();
  const journal = join(out, 'journal.ndjson');
  const gateway = await startGateway({ port: 0, seed: 9, latency: 'realistic', journalPath: journal });
  onTestFinished(() => gateway.close());
  const { ready } = gateway;
  const config = join(out, 'weighbridge.yaml');
  writeFileSync(
    config,
    [
      'version: 1',
      'target:',
      '  key: exclusive',
      'duration: 20s',
      'settle: {wait: 20s, poll: 500ms}',
      'traffic:',
      '  - {kind: chat, rate: 12/s, stream: 0.7}',
      '  - {kind: responses, rate: 8/s, stream: 0.5}',
      '  - {kind: messages, rate: 8/s, stream: 0.5}',
      '  - {kind: image, rate: 2/s}',
      '  - {kind: image_job, rate: 2/s}',
      '  - {kind: video, rate: 1/s}',
      '',
    ].join('\n'),
  );
  const planned = await runWeighbridge(
    ['plan', '--config', config, '--target', ready.base_url, '--max-spend-usd', '1000', '--json'],
    { env: { WEIGHBRIDGE_API_KEY: ready.api_key } },
  );
  expect(planned.stderr).toBe('');
  const { plan } = planOutput.parse(JSON.parse(planned.stdout));
  const left = Array.from({ length: KILLS }, (_, kill) => kill);
  const killed: Awaited<ReturnType<typeof killOnce>>[] = [];
  const lane = async (): Promise<void> => {
    for (let kill = left.shift(); kill !== undefined; kill = left.shift()) {
      killed.push(await killOnce({ kill, out, journal, plan, ready }));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  expect(killed.filter(({ inFlight }) => inFlight).length).toBeGreaterThanOrEqual(40);
  expect(killed.filter(({ received }) => received > 0).length).toBeGreaterThanOrEqual(40);
});

interface Kill {
  readonly kill: number;
  readonly out: string;
  readonly journal: string;
  readonly plan: z.infer<typeof planOutput>['plan'];
  readonly ready: { readonly control_url: string; readonly control_token: string; readonly user_id: number };
}

/** Starts k6, kills it, and checks ledger, journal and audit against one another. */
async function killOnce({
  kill,
  out,
  journal,
  plan,
  ready,
}: Kill): Promise<{ inFlight: boolean; received: number }> {
  const random = seededRandom('kill-9', kill);
  const key = await freshKey(ready);
  const runDir = join(out, `kill-${kill}`);
  const calls = join(runDir, 'calls');
  mkdirSync(calls, { recursive: true });
  const nonce = `${plan.nonce}-${kill}`;
  writeFileSync(join(runDir, 'plan.json'), JSON.stringify({ ...plan, run_id: `kill-${kill}`, nonce }));
  const k6 = spawn(
    locateK6(process.env, ROOT),
    [
      'run',
      '--quiet',
      '--summary-mode=disabled',
      '--out',
      `weighbridge=${calls}`,
      join(ROOT, 'scenarios/mixed.ts'),
    ],
    {
      env: cleanEnv({
        WEIGHBRIDGE_PLAN: join(runDir, 'plan.json'),
        WEIGHBRIDGE_API_KEY: key,
        WEIGHBRIDGE_INSTANCE: 'i0',
      }),
      stdio: 'ignore',
    },
  );
  const ended = new Promise<NodeJS.Signals | null>((done) =>
    k6.once('exit', (_code, signal) => done(signal)),
  );
  // A seeded moment: after a seeded number of intents, then a seeded few milliseconds.
  await waitForLines(calls, '"weighbridge.intent/1"', 1 + random.below(40), AbortSignal.timeout(30_000));
  await new Promise((next) => setTimeout(next, random.below(60)));
  k6.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');

  const ledger = await loadLedger(runDir);
  const rowIds = new Set(ledger.rows.map((row) => row.call_id));
  const inFlight = ledger.intents.some((intent) => !rowIds.has(intent.call_id));

  const reconciled = await runWeighbridge(['reconcile', '--ledger', runDir, '--json'], {
    env: { WEIGHBRIDGE_API_KEY: key },
  });
  const verdict = verdictOf(reconciled);
  const { findings, money } = resultSchema.parse(JSON.parse(readFileSync(verdict.result, 'utf8')));
  expect({
    kill,
    findings,
    foreign: money.foreign.records,
    codes: verdict.exit_codes,
  }).toEqual({
    kill,
    findings: [],
    foreign: 0,
    // The ledger was never closed: the engine broke off, and the client was no measure.
    codes: [1, 7],
  });
  const markers = new Set(ledger.intents.map((intent) => markerOf(nonce, intent.call_id)));
  const received = readNdjson(journal, callLine).filter(
    (line) => line.type === 'call' && line.key_fp === ledger.headers[0]?.key_fp,
  );
  expect(received.filter((line) => !markers.has(line.marker ?? ''))).toEqual([]);
  expect(received.length).toBe(money.records);
  return { inFlight, received: received.length };
}

async function freshKey(ready: {
  control_url: string;
  control_token: string;
  user_id: number;
}): Promise<string> {
  const answer = await fetch(`${ready.control_url}/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ready.control_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: ready.user_id }),
  });
  return z.object({ api_key: z.string() }).parse(await answer.json()).api_key;
}
