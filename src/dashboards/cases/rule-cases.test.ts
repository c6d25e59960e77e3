import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ALERT_RULES } from '../rules/alert-rules.ts';
import { renderRules } from '../rules/render-rules.ts';
import { renderRuleTests } from './render-rule-tests.ts';
import { clock, counter, gauge, slope, valuesOf } from './rule-case.ts';
import { RULE_CASES } from './rule-cases.ts';

const run = promisify(execFile);
/** Promtool evaluates days of rules: tens of seconds on a busy machine. */
const PATIENCE = { timeout: 240_000 };

test('every alert has a case, but the one that fires always', () => {
  const cased = new Set(RULE_CASES.map(({ alert }) => alert));
  expect(ALERT_RULES.map(({ name }) => name).filter((name) => !cased.has(name))).toEqual([
    'WeighbridgeWatchdog',
  ]);
});

test('courses in the notation of promtool', () => {
  const values = (series: { readonly course: Parameters<typeof valuesOf>[0] }): string =>
    valuesOf(series.course, [2, 3, 1], '1m');
  expect(values(gauge('x', 1, null, 1))).toBe('1+0x1 _x3 1+0x0');
  expect(values(counter('x', 1, 0, 2))).toBe('1+1x1 2+0x2 4+2x0');
  expect(values(slope('x', [0, 9, 5], [1, -2, 0]))).toBe('0+1x1 9-2x2 5+0x0');
  expect(values(clock('x', 'now', 'frozen', 600))).toBe('0+60x1 120+0x2 900+60x0');
});

test.concurrent.each([...renderRuleTests()])('promtool test rules %s', PATIENCE, async (name, text) => {
  expect(await judged(renderRules({ timeScale: 1 }), name, text)).toMatch(/SUCCESS/);
});

test('the tests of the rules see a rule that no longer heeds load runs', PATIENCE, async () => {
  const [name, text] = [...renderRuleTests()].find(([file]) => file.startsWith('step-30s')) ?? ['', ''];
  const deaf = renderRules({ timeScale: 1 }).replaceAll(
    'unless on (target) target:weighbridge_load_run:active',
    '',
  );
  expect(await judged(deaf, name, text)).toMatch(/FAILED/);
});

async function judged(rules: string, name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'weighbridge-rules-'));
  try {
    await mkdir(join(folder, 'tests'));
    await writeFile(join(folder, 'weighbridge.rules.yml'), rules);
    await writeFile(join(folder, 'tests', name), text);
    const { stdout, stderr } = await run('promtool', ['test', 'rules', name], { cwd: join(folder, 'tests') });
    return stdout + stderr;
  } catch (error) {
    return `FAILED ${String(error)}`;
  } finally {
    await rm(folder, { recursive: true });
  }
}
