import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchParent } from './parent-watch.ts';

describe('watchParent', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    { env: { npm_execpath: '/npm-cli.js' }, told: 1 },
    { env: { npm_command: 'exec' }, told: 1 },
    { env: {}, told: 0 },
    { env: { npm_command: 'exec', WEIGHBRIDGE_LIFELINE: 'stdin' }, told: 0 },
  ])('tells $told times that the parent is gone with $env', ({ env, told }) => {
    const host = { ppid: 40, env };
    const onGone = vi.fn();
    watchParent(host, onGone);
    vi.advanceTimersByTime(5_000);
    expect(onGone).not.toHaveBeenCalled();
    host.ppid = 1;
    vi.advanceTimersByTime(5_000);
    expect(onGone).toHaveBeenCalledTimes(told);
  });

  it('tells nothing after its end', () => {
    const host = { ppid: 40, env: { npm_command: 'exec' } };
    const onGone = vi.fn();
    watchParent(host, onGone)();
    host.ppid = 1;
    vi.advanceTimersByTime(5_000);
    expect(onGone).not.toHaveBeenCalled();
  });
});

const TERMINAL = fileURLToPath(new URL('./process-terminal.ts', import.meta.url));

/** Says what it hears; one that hears nothing ends on its own, long after the second in which it must. */
const CHILD = `
  const { processTerminal } = await import(${JSON.stringify(TERMINAL)});
  processTerminal(process).interrupts().onSignal((count) => {
    console.log('signal ' + count);
    process.exit(0);
  });
  console.log('listening');
  setTimeout(() => process.exit(0), 8_000);
`;
const PARENT = `
  const args = ['--input-type=module', '-e', ${JSON.stringify(CHILD)}];
  require('node:child_process').spawn(process.execPath, args, { stdio: 'inherit' });
`;

it('is a first Ctrl-C to a command of npx, which passes no SIGTERM on', async () => {
  const parent = spawn(process.execPath, ['-e', PARENT], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, npm_command: 'exec' },
  });
  const heard: string[] = [];
  const lines = createInterface({ input: parent.stdout }).on('line', (line) => heard.push(line));
  const closed = once(lines, 'close');
  await once(lines, 'line');
  parent.kill('SIGKILL');
  await closed;
  expect(heard).toEqual(['listening', 'signal 1']);
});
