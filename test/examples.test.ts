import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { UNWATCHED } from '../src/app/notices/unwatched.test-support.ts';
import { runProgram } from '../src/cli/program.ts';
import { parseAmount } from '../src/core/amount.ts';

const ROOT = resolve(import.meta.dirname, '..');
const PAGE = readFileSync(join(ROOT, 'examples/README.md'), 'utf8');

/** A command of the page, and the lines under it. */
const SHOWN = [...PAGE.matchAll(/^```sh\nweighbridge ([^\n]+)\n```\n\n```text\n(.*?)^```/gms)].map(
  ([, command = '', text = '']) => ({ command, lines: text.trimEnd().split('\n') }),
);
const PLANS = readdirSync(join(ROOT, 'examples/plans'));

const dir = mkdtempSync(join(tmpdir(), 'wb-examples-'));
afterAll(() => rmSync(dir, { recursive: true }));

async function said(words: readonly string[]): Promise<{ status: number; out: string[] }> {
  const out: string[] = [];
  const args = words.map((word) => (word.startsWith('examples/') ? join(ROOT, word) : word));
  // Where a folder is kept or read, it is one of the test's own.
  const home = args[0] === 'plan' ? [] : ['--out', join(dir, 'reports')];
  const status = await runProgram([...args, ...home], {
    out: (line) => out.push(...line.split('\n')),
    err: () => undefined,
    ...UNWATCHED,
    width: 100,
    env: {},
  });
  return { status, out };
}

test('every command of the page has lines under it', () => {
  expect(SHOWN.map(({ command }) => command.split(' ')[0])).toEqual(['reconcile', 'explain', 'plan']);
  expect([...PAGE.matchAll(/^```sh$/gm)]).toHaveLength(SHOWN.length);
});

test('the commands of the page print what stands under them', async () => {
  const statuses: number[] = [];
  for (const { command, lines } of SHOWN) {
    const { status, out } = await said(command.split(' '));
    statuses.push(status);
    for (const line of lines) expect(out, command).toContain(line);
  }
  expect(statuses).toEqual([5, 0, 0]);
});

test('the trace of docs/load.md is planned as the page says', async () => {
  const page = readFileSync(join(ROOT, 'docs/load.md'), 'utf8');
  const [, command = '', line = ''] =
    /^```sh\nweighbridge (plan --config examples\/plans\/shared-prefixes.yaml)\n```\n\n```text\n(.*?)\n```/ms.exec(
      page,
    ) ?? [];
  const { status, out } = await said(command.split(' '));
  expect(status).toBe(0);
  expect(out).toContainEqual(expect.stringContaining(line || 'a line of the page'));
});

test.each(PLANS)('%s is a plan of the page, its worst case within its cap', async (name) => {
  expect(PAGE).toContain(`(plans/${name})`);
  const { status, out } = await said(['plan', '--config', `examples/plans/${name}`]);
  const text = out.join('\n');
  expect(status, text).toBe(0);
  const amount = (line: RegExp) => parseAmount(line.exec(text)?.[1] ?? '') ?? expect.fail(text);
  expect(amount(/^total: .* worst case \$(\S+)$/m)).toBeLessThan(amount(/^cap \$(\S+)$/m));
});
