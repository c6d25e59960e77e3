import type { ChildProcess } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { ProbeProcess } from '../support/probe-process.ts';
import { listFiles, readNdjson, runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

const traffic = z.object({ records: z.number(), amount: z.string().nullable() });
const resultSchema = z.object({
  money: z.object({
    records: z.number(),
    foreign: traffic,
    known: z.array(traffic.extend({ of: z.string() })).optional(),
    unattributed: traffic.optional(),
  }),
  completeness: z.object({ complete: z.boolean(), reasons: z.array(z.string()) }),
  findings: z.array(z.object({ class: z.string() })),
});
const runLine = z.looseObject({
  run_id: z.string().optional(),
  folder: z.string().optional(),
  last_end: z.string().nullish(),
});
type Result = z.infer<typeof resultSchema>;

/** A gateway of which one key is used by these commands alone. */
async function ownKey() {
  const gateway = await startGateway({ port: 0, seed: 12, latency: 'fast' });
  onTestFinished(() => gateway.close());
  const { base_url, api_key } = gateway.ready;
  const [out, state] = [scratchDir(), scratchDir()];
  const config = join(scratchDir(), 'weighbridge.yaml');
  writeFileSync(
    config,
    [
      'version: 1',
      `target: {url: ${base_url}, key: exclusive}`,
      'duration: 3s',
      'settle: {wait: 20s, poll: 500ms}',
      'traffic: [{kind: chat, rate: 4/s}, {kind: image, rate: 1/s}]',
      '',
    ].join('\n'),
  );
  const env = { WEIGHBRIDGE_API_KEY: api_key };
  const asked = (
    command: string,
    args: readonly string[] = [],
    onStart: (child: ChildProcess) => void = () => {},
  ) => runWeighbridge([command, ...args, '--config', config, '--state', state], { env, onStart });
  const judged = async (command: string, ...args: readonly string[]) => {
    const { status, stderr, ...finished } = await asked(command, [...args, '--out', out, '--json']);
    const { run_id, dir, result } = verdictOf({ status, stderr, ...finished });
    const text = readFileSync(result, 'utf8');
    return { status, stderr, run_id, dir, text, result: resultSchema.parse(JSON.parse(text)) };
  };
  const audit = (...more: readonly string[]) => judged('audit', '--max-spend-usd', '20', ...more);
  const reconcile = (run: string) => judged('reconcile', '--run', run);
  return { gateway: gateway.ready, out, state, asked, judged, audit, reconcile };
}

/** Deletes the row of the first paid call that succeeded, with its intent or without. */
function loseRow(runDir: string, withIntent: boolean): void {
  const file = join(runDir, 'calls', 'i0-0.ndjson');
  const lines = readFileSync(file, 'utf8').split('\n');
  const row = z.object({ call_id: z.string() });
  const found = lines.find((line) => line.includes('weighbridge.call/1') && line.includes('"kind":"chat"'));
  const { call_id } = row.parse(JSON.parse(found ?? ''));
  const isOf = (line: string) => line !== '' && row.safeParse(JSON.parse(line)).data?.call_id === call_id;
  const kept = lines.filter((line) => !isOf(line) || (!withIntent && line.includes('weighbridge.intent/1')));
  expect(lines.length - kept.length).toBe(withIntent ? 2 : 1);
  writeFileSync(file, kept.join('\n'));
}

const classes = ({ findings }: Result) => findings.map((finding) => finding.class);

test('a ledger that lacks a row of ours accuses nobody: it is named as not whole, and the charge has its sum', async () => {
  const { audit, reconcile, judged, out } = await ownKey();
  const run = await audit();
  expect([run.status, classes(run.result)]).toEqual([0, []]);
  expect(run.result.completeness).toMatchObject({ complete: true, reasons: [] });
  cpSync(run.dir, join(out, 'whole'), { recursive: true });
  for (const withIntent of [true, false]) {
    rmSync(run.dir, { recursive: true });
    cpSync(join(out, 'whole'), run.dir, { recursive: true });
    loseRow(run.dir, withIntent);
    const { status, result } = await reconcile(run.run_id);
    expect({ withIntent, status, classes: classes(result) }).toEqual({ withIntent, status: 7, classes: [] });
    expect(result.completeness.complete).toBe(false);
    expect(result.completeness.reasons).toContainEqual(
      expect.stringMatching(/i0-0\.ndjson lacks 1 of \d+ rows of scenario chat/),
    );
    expect(result.money.foreign.records).toBe(0);
    // An intent explains the record: the call was made, and how it ended is not known.
    expect(result.money.unattributed?.records).toBe(withIntent ? 1 : undefined);
  }
  const month = new Date().toISOString().slice(0, 7);
  const whole = ['--month', month, '--ledger', join(out, 'whole', 'calls')];
  const period = await judged('reconcile', ...whole);
  expect([period.status, classes(period.result)]).toEqual([0, []]);
  loseRow(join(out, 'whole'), true);
  const short = await judged('reconcile', ...whole);
  expect([short.status, classes(short.result)]).toEqual([7, []]);
});

test('calls of the next run are no phantoms of the one before, whether its folder is there or gone', async () => {
  const { audit, reconcile, asked } = await ownKey();
  const first = await audit();
  const second = await audit();
  expect([first.status, second.status]).toEqual([0, 0]);
  expect((await asked('pull')).status).toBe(0);
  const again = await reconcile(first.run_id);
  expect([again.status, classes(again.result)]).toEqual([0, []]);
  expect(again.result.money.known).toMatchObject([
    { of: `run ${second.run_id}`, records: second.result.money.records },
  ]);
  expect(again.result.money.foreign.records).toBe(0);
  expect(again.result.money.records).toBe(first.result.money.records);
  expect((await reconcile(first.run_id)).text).toBe(again.text);
  expect(await reconcile(second.run_id)).toMatchObject({ status: 0, result: { findings: [] } });

  // What was known of it once stays known to the folder, and is judged alike.
  rmSync(second.dir, { recursive: true });
  expect((await reconcile(first.run_id)).text).toBe(again.text);
  rmSync(join(first.dir, 'known'), { recursive: true });
  const gone = await reconcile(first.run_id);
  expect([gone.status, classes(gone.result)]).toEqual([0, []]);
  expect(gone.result.money.known).toBeUndefined();
  expect(gone.result.money.foreign.records).toBe(second.result.money.records);
});

test('a run is listed before its first paid call, and a crash leaves it so until it is judged', async () => {
  const { out, state, asked, reconcile } = await ownKey();
  const listed = () =>
    listFiles(state)
      .filter((file) => file.endsWith('runs.ndjson'))
      .flatMap((file) => readNdjson(file, runLine))
      .filter(({ run_id }) => run_id !== undefined);
  const killed = await asked('audit', ['--max-spend-usd', '20', '--out', out], (child) => {
    child.stderr?.on('data', (text: string) => {
      if (text.includes('trial: one call')) child.kill('SIGKILL');
    });
  });
  expect(killed.status).toBeNull();
  const [run, ...more] = listed();
  expect(run).toMatchObject({ folder: join(out, run?.run_id ?? ''), last_end: null });
  expect(more).toEqual([]);
  for (;;) {
    const { stderr } = await reconcile(run?.run_id ?? '');
    if (!stderr.includes('its load engine has not ended')) break;
  }
  const [, ended, ...none] = listed();
  expect(ended).toEqual({ ...run, last_end: expect.stringMatching(/^20/) });
  expect(none).toEqual([]);
});

test('calls of the daemon are no phantoms of a run beside it', async () => {
  const { audit, gateway, state } = await ownKey();
  const dir = scratchDir();
  const file = join(dir, 'weighbridge.yaml');
  writeFileSync(
    file,
    `version: 1
probe:
  targets:
    - name: main
      url: ${gateway.base_url}
      key: env:GATEWAY_KEY
      budget: { usd_per_hour: "50", usd_per_day: "500" }
      text: { models: [elm/elm-8b-instruct], every: 10s, max_tokens: 8 }
`,
  );
  const args = ['--config', file, '--listen', '127.0.0.1:0', '--state', state];
  const daemon = new ProbeProcess(args, { GATEWAY_KEY: gateway.api_key });
  await daemon.until((line) => line.api === 'chat' && line.error_type === 'none');
  // Longer than the daemon waits from one call to the next.
  const run = await audit('--duration', '12s');
  expect([run.status, classes(run.result)]).toEqual([0, []]);
  expect(readdirSync(run.dir)).toContain('known');
  expect(run.result.money.known?.map(({ of }) => of)).toEqual(['the probe']);
  expect(run.result.money.foreign.records).toBe(0);
});
