import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { visibleControls } from '../../text/visible-controls.ts';
import { wantsColour } from './process-terminal.ts';

const BIN = fileURLToPath(new URL('../../../bin/weighbridge.mjs', import.meta.url));

/** A device on which every write fails for want of room. */
const FULL = '/dev/full';

test.skipIf(!existsSync(FULL)).for([['--help'], ['plan', '--no-such-flag', '--json']])(
  'a stdout that cannot be written is one line with a code and exit 1: %s',
  (args) => {
    const full = openSync(FULL, 'w');
    const { status, stderr } = spawnSync(process.execPath, [BIN, ...args], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect(stderr.match(/^error: Weighbridge could not write its result .*: ENOSPC/gm)).toHaveLength(1);
    expect(stderr).toContain(' code: stdout_failed (');
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(status).toBe(1);
  },
);

test('what a target says cannot steer the terminal', () => {
  const said = 'HTTP 401: \u001b[31mred\u001b]0;title\u0007\r\u009b2J\u202e\u007f';
  const shown = String.raw`HTTP 401: \u001b[31mred\u001b]0;title\u0007\u000d\u009b2J\u202e\u007f`;
  expect(visibleControls(said)).toBe(shown);
  expect(visibleControls('a\tb\n  é 中')).toBe('a\tb\n  é 中');
  expect(JSON.parse(visibleControls('{"a":"\u009b"}'))).toEqual({ a: '\u009b' });
  const { stderr } = spawnSync(process.execPath, [BIN, 'report', '--run', '\u001b[31m'], {
    encoding: 'utf8',
  });
  expect(stderr).toContain(String.raw`\u001b[31m`);
  expect(stderr).not.toContain('\u001b');
});

test('NO_COLOR leaves out colours unless it is empty', () => {
  expect([{}, { NO_COLOR: '' }, { NO_COLOR: '1' }, { NO_COLOR: '0' }].map(wantsColour)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('a pipe that is closed early is no fault', () => {
  const command = ['-c', '"$0" "$1" --help | true', process.execPath, BIN];
  const { stderr } = spawnSync('sh', command, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  expect(stderr).toBe('');
});

const HIDDEN = '\u001b[?25l';
const SHOWN = '\u001b[?25h';

interface Drawing {
  readonly pid: number;
  readonly output: () => string;
  /** Resolves when so much was written. */
  saw(mark: string): Promise<void>;
  readonly ended: Promise<void>;
}

/** A process that takes its stderr for a terminal, draws a frame and then does what `rest` says. */
function drawing(rest: string): Drawing {
  const code = `const { processTerminal } = await import('${new URL('./process-terminal.ts', import.meta.url)}');
    process.stderr.isTTY = true;
    const terminal = processTerminal(process);
    const { progressOf } = await import('${new URL('../../app/live/live.test-support.ts', import.meta.url)}');
    terminal.show(progressOf());
    ${rest}`;
  const env = { ...process.env, TERM: 'xterm', CI: undefined };
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { env });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let output = '';
  const looks = new Set<() => void>();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    for (const look of looks) look();
  });
  const saw = (mark: string): Promise<void> =>
    new Promise((resolve) => {
      const look = () => (output.includes(mark) ? resolve() : undefined);
      looks.add(look);
      look();
    });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return { pid: child.pid ?? 0, output: () => output, saw, ended };
}

test('a process that ends with a frame on the terminal gives the cursor back', async () => {
  const { output, ended } = drawing('process.exit(3);');
  await ended;
  expect(output().indexOf(HIDDEN)).toBeGreaterThanOrEqual(0);
  expect(output().lastIndexOf(SHOWN)).toBeGreaterThan(output().lastIndexOf(HIDDEN));
});

test.skipIf(!existsSync('/proc/self/stat'))('while a process is stopped the cursor is shown', async () => {
  const { pid, output, saw, ended } = drawing(
    "setInterval(() => {}, 1000); process.on('SIGCONT', () => process.exit(0)); process.stderr.write('ready');",
  );
  await saw('ready');
  process.kill(pid, 'SIGTSTP');
  await expect.poll(() => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]).toBe('T');
  await expect.poll(output).toContain(SHOWN);
  process.kill(pid, 'SIGCONT');
  await ended;
});
