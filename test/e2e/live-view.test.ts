import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Progress, progressLineSchema } from '../../src/app/notices/progress.ts';
import { launchChromium, openPage } from '../support/chromium-page.ts';
import { cleanEnv, ROOT, runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';
import { Screen } from '../support/screen.ts';

const COLUMNS = 90;
const ROWS = 18;
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser.close());

/** As the page shows them, in its order, without where the shell puts what they say. */
const SHOWN = [...readFileSync(join(ROOT, 'docs/live-view.md'), 'utf8').matchAll(/^ {4}weighbridge (.+)$/gm)];
const [FOR_PROGRAMS = [], IN_A_BROWSER = [], AT_AN_ADDRESS = [], ...MORE] = SHOWN.map(([, line = '']) =>
  line.replace(/ 2> .+/, '').split(' '),
);

test('the page shows no command that is not run here', () => {
  expect(MORE).toEqual([]);
  expect(FOR_PROGRAMS.join(' ')).toBe('audit --json-progress --json');
});

/** What a command of the page runs on: chats and images on the embedded gateway, a third of them refused. */
function runOf(dir: string, duration: string): readonly string[] {
  const config = join(dir, 'weighbridge.yaml');
  const faults = join(dir, 'faults.yaml');
  writeFileSync(
    config,
    [
      'version: 1',
      'seed: 1',
      'traffic:',
      '  - { kind: chat, rate: 4/s, stream: 1 }',
      '  - { kind: image, rate: 1/s }',
      '',
    ].join('\n'),
  );
  writeFileSync(faults, 'faults:\n  - { fault: http.429_crowded, when: { probability: 0.3 } }\n');
  return ['--config', config, '--faults', faults, '--duration', duration, '--out', dir];
}

interface OnTerminal {
  readonly child: ChildProcessWithoutNullStreams;
  readonly screen: Screen;
  readonly bytes: () => string;
  readonly ended: Promise<number | null>;
}

/** The real command on a pseudo-terminal. */
function onTerminal(args: readonly string[], env: Readonly<Record<string, string>> = {}): OnTerminal {
  const words = [process.execPath, join(ROOT, 'bin/weighbridge.mjs'), ...args, '--state', scratchDir()];
  const command = `stty cols ${COLUMNS} rows ${ROWS}; exec ${words.map((word) => `'${word}'`).join(' ')}`;
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    env: { ...cleanEnv({ TERM: 'xterm-256color', ...env }), CI: undefined },
  });
  const screen = new Screen(COLUMNS, ROWS);
  let bytes = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    bytes += text;
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      screen.write(bytes);
      resolve(status);
    });
  });
  return { child, screen, bytes: () => bytes, ended };
}

/** What was drawn between the marks of a synchronized update, one frame after the other. */
function framesOf(bytes: string): readonly string[] {
  return bytes
    .split('\u001b[?2026h')
    .slice(1)
    .map((part) => part.split('\u001b[?2026l')[0] ?? '');
}

test('on a terminal frames are redrawn in place, within its size; in the end the verdict stands there and the cursor is back', async () => {
  const { screen, bytes, ended } = onTerminal([...IN_A_BROWSER, ...runOf(scratchDir(), '6s')], {
    NO_COLOR: '1',
  });
  const status = await ended;
  const frames = framesOf(bytes()).map((frame) =>
    stripVTControlCharacters(frame).replaceAll('\r', '').split('\n'),
  );
  expect(frames.length).toBeGreaterThan(8);
  const all = frames.map((frame) => frame.join('\n')).join('\n');
  for (const shown of [
    /^load · \d+ s of 6 · \d+ s left/m,
    /settling the bill · /,
    /error {2}\d+ × 429 /,
    /money {2}spent at most \$/,
  ])
    expect(all).toMatch(shown);
  expect(all).toMatch(/^chat +\d+\.\d\d +\d+\.\d\d +\d+ +\d+ +\d+ +\d/m);
  // A kind without a first token has the time to its end, and the load its bar.
  expect(all).toMatch(/^image .*– +\d{3,}/m);
  expect(all).toMatch(/^\[#+-*\] \d+ %$/m);
  for (const frame of frames) {
    expect(frame.length).toBeLessThanOrEqual(ROWS);
    for (const line of frame) expect(line.length).toBeLessThan(COLUMNS);
  }
  expect(bytes()).not.toMatch(/\p{Cc}\[\d+m/u);
  // Of frames nothing is left behind, and nothing of what was said was painted over.
  expect(screen.text()).toContain('testing');
  expect(bytes()).toMatch(/live page: http:\/\/127\.0\.0\.1:\d+/);
  expect(screen.text()).toContain('money     ');
  expect(screen.text()).not.toContain('settling the bill');
  expect([screen.cursorShown, status]).toEqual([true, 0]);
});

test.each([
  [1, AT_AN_ADDRESS],
  // Each press says a line of its own: there is no row left for the address of a page.
  [4, ['audit']],
])('Ctrl-C, pressed %i times, takes the frame away and gives the cursor back', async (presses, command) => {
  const { child, screen, bytes, ended } = onTerminal([
    ...command.map((word) => word.replace(':8080', ':0')),
    ...runOf(scratchDir(), '60s'),
  ]);
  let pressed = 0;
  // One press at each thing that is shown, once a frame has figures.
  child.stdout.on('data', () => {
    if (pressed === presses) return;
    if (pressed === 0 && !/ {2}\d+ {2}/.test(framesOf(bytes()).at(-1) ?? '')) return;
    pressed += 1;
    child.stdin.write('\u0003');
  });
  expect(await ended).toBe(130);
  // Presses that come at once are told by what the last of them does.
  const told =
    presses === 1
      ? /draining: no further calls are started/
      : /draining: no further|stopping: calls in flight/;
  expect(screen.text()).toMatch(told);
  expect(bytes()).toContain('\u001b[?25l');
  expect(/live page: http:\/\/127\.0\.0\.1:\d+/.test(bytes())).toBe(command.includes('--ui'));
  expect(screen.cursorShown).toBe(true);
});

test('programs read one object a line, and the page in a browser shows the same, live, until the verdict', async () => {
  const addresses: PromiseWithResolvers<string> = Promise.withResolvers();
  const finished = runWeighbridge([...FOR_PROGRAMS, ...runOf(scratchDir(), '20s'), '--ui'], {
    onStart(child) {
      let said = '';
      child.stderr?.on('data', (text: Buffer) => {
        said += text.toString();
        const url = /live page: (http:[^"\s]+)/.exec(said)?.[1];
        if (url !== undefined) addresses.resolve(url);
      });
    },
  });
  finished.then(() => addresses.reject(new Error('the command ended without a page')), addresses.reject);
  const url = await addresses.promise;
  const { page, faults, requests } = await openPage(browser, url, { width: 375, theme: 'dark' });
  await page.getByRole('heading', { name: /^Load · \d+ s of 20/ }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.getByRole('heading', { name: /^Load · ([6-9]|1\d) s of 20/ }).waitFor();
  expect(await page.getByRole('rowheader', { name: 'chat' }).count()).toBe(1);
  expect(await page.getByRole('img', { name: 'Starts against the plan' }).count()).toBe(1);

  const done = await finished;
  const lines = done.stderr
    .trimEnd()
    .split('\n')
    .map((line) => progressLineSchema.parse(JSON.parse(line)));
  const told = lines.filter((line): line is Progress => line.event === 'progress');
  const stages = told.map(({ stage }) => stage);
  expect([...new Set(stages)]).toEqual(['prepare', 'load', 'settle', 'judge', 'done']);
  const loads = told.flatMap(({ stage, load }) => (stage === 'load' && load !== null ? [load] : []));
  const last = loads.at(-1);
  const failed = last?.errors.reduce((sum, { count }) => sum + count, 0);
  expect(failed).toBeGreaterThan(0);
  expect([failed, last?.sample]).toEqual([last?.total.failed, null]);
  expect(loads.some(({ kinds }) => (kinds[0]?.ttft?.count ?? 0) > 0)).toBe(true);
  const verdict = told.at(-1)?.verdict;
  expect(verdict?.exit_codes).toEqual(verdictOf(done).exit_codes);

  await page.getByText('The command has ended.').waitFor();
  expect(await page.locator('h1').innerText()).toBe(verdict?.headline);
  expect(requests).toEqual([]);
  expect(faults).toEqual([]);
});
