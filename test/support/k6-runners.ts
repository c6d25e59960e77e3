import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { locateK6 } from '../../src/drive/locate-k6.ts';
import { cleanEnv, ROOT } from './run-weighbridge.ts';

/** One k6 of a run, started as k6-operator starts the container of a runner: paused, without a shell. */
export interface Runner {
  readonly child: ChildProcess;
  readonly port: number;
  /** Exit status, or the signal that ended it. */
  readonly ended: Promise<number | string | null>;
  /** What it printed so far. */
  readonly said: () => string;
}

export interface RunnerOptions {
  readonly instances: number;
  readonly plan: string;
  /** `--out weighbridge=` of runner i, from 1 on. */
  readonly ledgerOf: (index: number) => string;
  readonly env: Readonly<Record<string, string>>;
}

export const SCRIPT = join(ROOT, 'scenarios/mixed.ts');

/**
 * The arguments of runner i of n, in the order and the spelling of k6-operator v1.6.0 (pkg/resources/jobs/runner.go and
 * pkg/segmentation). Only the address is not 0.0.0.0:6565: here they share one machine.
 */
function runnerArguments(index: number, instances: number, args: readonly string[], port: number): string[] {
  const bounds = Array.from({ length: instances + 1 }, (_, part) =>
    part === 0 ? '0' : part === instances ? '1' : `${part}/${instances}`,
  );
  const segment =
    instances === 1
      ? []
      : [
          `--execution-segment=${bounds[index - 1]}:${bounds[index]}`,
          `--execution-segment-sequence=${bounds.join(',')}`,
        ];
  return [
    'run',
    '--quiet',
    ...segment,
    ...args,
    SCRIPT,
    `--address=127.0.0.1:${port}`,
    '--paused',
    '--tag',
    `instance_id=${index}`,
    '--tag',
    'testrun_name=load',
  ];
}

/** Starts the runners of a test and waits, as the operator does, until each that still runs answers. */
export async function startRunners({ instances, plan, ledgerOf, env }: RunnerOptions): Promise<Runner[]> {
  const runners: Runner[] = [];
  for (let index = 1; index <= instances; index += 1) {
    const port = await freePort();
    const args = runnerArguments(index, instances, ['--out', `weighbridge=${ledgerOf(index)}`], port);
    const child = spawn(locateK6(process.env), args, {
      env: cleanEnv({ WEIGHBRIDGE_PLAN: plan, ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    const ended = new Promise<number | string | null>((done) =>
      child.once('close', (status, signal) => done(status ?? signal)),
    );
    runners.push({ child, port, ended, said: () => said });
  }
  for (const runner of runners)
    await vi.waitFor(async () => {
      if (runner.child.exitCode !== null) return;
      const { ok } = await fetch(statusOf(runner));
      if (!ok) throw new Error(`${runner.port} is not ready`);
    }, WAIT);
  return runners;
}

const WAIT = { timeout: 120_000, interval: 50 };

/** What the operator's starter sends to each runner, one after the other. */
export async function resume(runners: readonly Runner[]): Promise<void> {
  for (const runner of runners) await patchStatus(runner, { paused: false, stopped: false });
}

/** What its stopper sends. */
export async function stop(runners: readonly Runner[]): Promise<void> {
  for (const runner of runners) await patchStatus(runner, { paused: false, stopped: true });
}

async function patchStatus(runner: Runner, attributes: object): Promise<void> {
  const answer = await fetch(statusOf(runner), {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { attributes, id: 'default', type: 'status' } }),
  });
  if (!answer.ok) throw new Error(`PATCH /v1/status: ${answer.status} ${await answer.text()}`);
}

function statusOf({ port }: Runner): string {
  return `http://127.0.0.1:${port}/v1/status`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  return address.port;
}
