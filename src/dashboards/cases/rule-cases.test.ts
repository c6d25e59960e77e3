import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { ALERT_RULES } from '../rules/alert-rules.ts';
import { type RuleGroup, ruleGroups } from '../rules/rule-groups.ts';
import type { PromtoolTest } from './promtool-test.ts';
import { RULE_CASES, ruleTests } from './render-rule-tests.ts';
import { type Course, clock, grows, levels, slope, valuesOf } from './rule-case.ts';
import { rulesAskedFor } from './rules-asked-for.test-support.ts';

const run = promisify(execFile);
const saidOf = z.object({ stdout: z.string(), stderr: z.string() });
const HELD = ALERT_RULES.filter(({ held }) => held).map(({ name }) => name);
const WHOLE = ruleGroups({ timeScale: 1 });
/** Promtool evaluates days of rules: seconds, and many more on a busy machine. */

test('every alert has a case, but the one that fires always', () => {
  const cased = new Set(RULE_CASES.map(({ alert }) => alert));
  expect(ALERT_RULES.map(({ name }) => name).filter((name) => !cased.has(name))).toEqual([
    'WeighbridgeWatchdog',
  ]);
});

test('courses in the notation of promtool', () => {
  const values = (course: Course): string => valuesOf(course, [2, 3, 1], '1m');
  expect(values(levels(1, null, 1))).toBe('1+0x1 _x3 1+0x0');
  expect(values(grows(1, 0, 2))).toBe('1+1x1 2+0x2 4+2x0');
  expect(values(slope([0, 9, 5], [1, -2, 0]))).toBe('0+1x1 9-2x2 5+0x0');
  expect(values(clock('now', 'frozen', 600))).toBe('0+60x1 120+0x2 900+60x0');
});

test('a test is asked of the rules that it names and of the records these read, the sound gateway of all', () => {
  const namesFor = (title: RegExp): string[] => {
    const asked = [...ruleTests().values()].flat().find(({ name }) => title.test(name));
    if (asked === undefined) throw new Error(`no test ${title}`);
    return rulesAskedFor(WHOLE, asked).flatMap(({ rules }) =>
      rules.map((rule) => ('alert' in rule ? rule.alert : rule.record)),
    );
  };
  expect(namesFor(/^WeighbridgeRunwayShort .+ silent,/)).toEqual([
    'target:weighbridge_account_runway_seconds',
    'target:weighbridge_load_run:active',
    'WeighbridgeRunwayShort',
  ]);
  expect(namesFor(/^the runway is exact/)).toEqual(['target:weighbridge_account_runway_seconds']);
  expect(namesFor(/^a sound gateway/)).toHaveLength(WHOLE.flatMap(({ rules }) => rules).length);
});

test.concurrent.each([...ruleTests()])('promtool test rules step-%s.test.yml', async (step, tests) => {
  const said = await judged(WHOLE, step, tests);
  expect(said).not.toMatch(/FAILED/);
  expect(said.match(/SUCCESS/g)).toHaveLength(tests.length);
});

test('the tests of the rules see a rule that no longer heeds load runs', async () => {
  const held = /\nunless on \(target\) target:weighbridge_load_run:active$/;
  const deaf = WHOLE.map((group) => ({
    ...group,
    rules: group.rules.map((rule) => ({ ...rule, expr: rule.expr.replace(held, '') })),
  }));
  const heeding = [...ruleTests().values()]
    .flat()
    .filter(({ name }) => name.includes(': silent while a load run'));
  expect(heeding).toHaveLength(RULE_CASES.filter(({ alert }) => HELD.includes(alert)).length);
  const short = heeding.filter(({ interval }) => interval === '1m');
  const said = await judged(deaf, '1m', short);
  expect(short.length).toBeGreaterThan(4);
  expect(said.match(/SUCCESS|FAILED/g)).toEqual(short.map(() => 'FAILED'));
});

/** What promtool says of each test, on the rules that it asks for. */
async function judged(
  groups: readonly RuleGroup[],
  step: string,
  tests: readonly PromtoolTest[],
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'weighbridge-rules-'));
  try {
    const names = tests.map((_, index) => `${index}.test.yml`);
    for (const [index, one] of tests.entries()) {
      const rules = `${index}.rules.yml`;
      await writeFile(join(folder, rules), stringify({ groups: rulesAskedFor(groups, one) }));
      const file = { rule_files: [rules], evaluation_interval: step, tests: [one] };
      await writeFile(join(folder, names[index] ?? ''), stringify(file));
    }
    const { stdout, stderr } = await run('promtool', ['test', 'rules', ...names], { cwd: folder });
    return stdout + stderr;
  } catch (error) {
    return saidOf.parse(error).stdout + saidOf.parse(error).stderr;
  } finally {
    await rm(folder, { recursive: true });
  }
}
