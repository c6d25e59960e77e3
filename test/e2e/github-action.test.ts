import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { MANNERS, plainServer } from '../support/plain-server.ts';
import { ROOT, scratchDir } from '../support/run-weighbridge.ts';

/** As a step of a job: a folder of its own, and the files that a runner gives. */
async function step(inputs: Readonly<Record<string, string>>) {
  const dir = scratchDir();
  const [summary, outputs] = [join(dir, 'summary.md'), join(dir, 'outputs')];
  const child = spawn(process.execPath, [join(ROOT, 'scripts/github-action.ts')], {
    cwd: dir,
    env: {
      ...process.env,
      ...{ INPUT_OUT: 'reports', INPUT_STATE: 'state', GITHUB_RUN_ATTEMPT: '1' },
      ...{ GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: outputs },
      ...inputs,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  return { dir, status, out, err, summary: read(summary), outputs: read(outputs) };
}

test('the action loads a server, shows the report as summary and the verdict as annotation', async () => {
  const server = await plainServer(MANNERS.vLLM);
  const flags = '--rate\n3/s';
  const inputs = { INPUT_COMMAND: 'run', INPUT_TARGET: server.url, INPUT_DURATION: '2s', INPUT_FLAGS: flags };
  const { dir, status, out, err, summary, outputs } = await step(inputs);
  expect(status, err).toBe(0);
  expect(out).toMatch(/^::notice title=Weighbridge::/);
  expect(summary).toMatch(/^# Weighbridge \d{8}T\d{6}Z-/);
  const result = /^result=(.+)$/m.exec(outputs)?.[1] ?? '';
  expect(outputs).toMatch(/^exit-status=0$/m);
  expect(existsSync(join(dir, result)) || existsSync(result)).toBe(true);
});

test('what is refused before a call is an annotation with its code, and the exit status of the command', async () => {
  const inputs = { INPUT_COMMAND: 'audit', INPUT_CONFIG: 'nowhere.yaml' };
  const { status, out, summary, outputs } = await step(inputs);
  expect(status).toBe(2);
  expect(out).toMatch(/^::error title=Weighbridge%3A config_[a-z_]+::.*nowhere\.yaml/);
  expect(summary).toBe('');
  expect(outputs).toBe('exit-status=2\n');
  const second = await step({ INPUT_COMMAND: 'audit', GITHUB_RUN_ATTEMPT: '2' });
  expect(second).toMatchObject({ status: 2, out: expect.stringContaining('pay again'), outputs: '' });
});
