import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RULE_CASES } from '../cases/render-rule-tests.ts';
import { promtool } from '../promql/promtool.test-support.ts';
import { ALERT_RULES } from './alert-rules.ts';
import { renderRules, ruleGroups, type WrittenAlert } from './rule-groups.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SMALL = 1 / 600;

test.each([1, SMALL])('promtool accepts the rules at scale %f', (timeScale) => {
  const { status, said } = promtool(['check', 'rules'], { 'rules.yml': renderRules({ timeScale }) });
  expect({ status, said }).toMatchObject({ status: 0 });
  expect(said).toContain(`${ruleGroups({ timeScale }).flatMap(({ rules }) => rules).length} rules found`);
});

test('at another scale no time stays behind', () => {
  const spans = (timeScale: number): string[] =>
    ruleGroups({ timeScale }).flatMap(({ interval, rules }) => [
      interval,
      ...rules.flatMap((rule) => [
        ...('for' in rule && rule.for !== undefined ? [rule.for] : []),
        ...[...rule.expr.matchAll(/\[(\w+)\]|offset (\w+)/g)].map(
          ([, range, offset]) => range ?? offset ?? '',
        ),
      ]),
    ]);
  expect(spans(SMALL)).toHaveLength(spans(1).length);
  expect(spans(1).filter((span) => /ms$/.test(span))).toEqual([]);
  expect(spans(SMALL).filter((span) => !/^\d+ms$/.test(span))).toEqual([]);
});

test('no time is shorter than the shortest that is asked for, at a small scale alone', () => {
  const small = renderRules({ timeScale: SMALL, shortestMs: 2500 });
  const spans = [...small.matchAll(/(?:\[|offset |for: )(\d+)ms/g)].map(([, ms]) => Number(ms));
  expect(Math.min(...spans)).toBe(2500);
  expect(spans).toContain(6000);
  expect(renderRules({ timeScale: 1, shortestMs: 2500 })).toBe(renderRules({ timeScale: 1 }));
});

test('constants that are times shrink with the rest, shares and counts do not', () => {
  const exprOf = (name: string): string => alertsAt(SMALL).find(({ alert }) => alert === name)?.expr ?? '';
  expect(exprOf('WeighbridgeProbeStale')).toContain('* weighbridge_probe_interval_seconds + 0.1');
  expect(exprOf('WeighbridgeTaskStuck')).toContain('> 3 and');
  expect(exprOf('WeighbridgePricebookStale')).toContain('> 36');
  expect(exprOf('WeighbridgeRunwayShort')).toContain('< 432');
  expect(exprOf('WeighbridgeFirstTokenSlow')).toContain('> 0.008333');
  expect(exprOf('WeighbridgeSettlementSlow')).toContain('> 1.5');
  expect(exprOf('WeighbridgeCertExpiry')).toContain('< 2016');
  expect(exprOf('WeighbridgeFirstTokenSlow')).toContain('>= 10');
  const slower = renderRules({ timeScale: SMALL, latencyScale: 1 / 20, interval: '200ms' });
  expect(slower).toContain('> 0.25');
  // Usage is read by whole seconds: a settlement of two and a half is no slow one at any scale of the windows.
  expect(slower).toMatch(/settlement_lag_seconds_bucket\[36000ms\].+> 45\n/);
  expect([...slower.matchAll(/interval: (\w+)/g)].map(([, every]) => every)).toEqual(['200ms', '200ms']);
});

test('the research of burn rates stands: windows, factors and floors', () => {
  const exprOf = (name: string): string => alertsAt(1).find(({ alert }) => alert === name)?.expr ?? '';
  expect(exprOf('WeighbridgeErrorBudgetFastBurn')).toMatch(/rate5m > 0\.144 and .+rate1h > 0\.144/);
  expect(exprOf('WeighbridgeErrorBudgetMediumBurn')).toMatch(/rate30m > 0\.06 and .+rate6h > 0\.06/);
  expect(exprOf('WeighbridgeErrorBudgetSlowBurn')).toMatch(
    /rate2h > 0\.03 and .+rate1d > 0\.03.+rate6h > 0\.01 and .+rate3d > 0\.01/s,
  );
});

test('a load run silences what load can cause: all that pages for the service, no fact', () => {
  const heeds = alertsAt(1)
    .filter(({ expr }) => expr.endsWith('unless on (target) target:weighbridge_load_run:active'))
    .map(({ alert }) => alert);
  expect(heeds).toEqual(ALERT_RULES.filter(({ held }) => held).map(({ name }) => name));
  const speak = alertsAt(1).filter(
    ({ alert, labels }) => labels.severity === 'page' && !heeds.includes(alert),
  );
  expect(speak.map(({ alert }) => alert)).toEqual([
    'WeighbridgeDaemonDown',
    'WeighbridgeDaemonAbsent',
    'WeighbridgeNegativeProbeAccepted',
    'WeighbridgePriceJump',
  ]);
});

test('an outage silences what it causes, and nothing that it does not', () => {
  const silenced = alertsAt(1)
    .filter(({ expr }) => expr.includes('unless on (target) target:weighbridge_target_down:active'))
    .map(({ alert }) => alert);
  expect(silenced).toEqual(ALERT_RULES.filter(({ partOfOutage }) => partOfOutage).map(({ name }) => name));
  expect(silenced).not.toContain('WeighbridgeTargetDown');
  expect(silenced).not.toContain('WeighbridgeChargeMismatch');
});

test('each alert says what it is, and its runbook has that heading', () => {
  const runbooks = readFileSync(join(ROOT, 'docs/runbooks.md'), 'utf8');
  for (const { alert, annotations } of alertsAt(1)) {
    expect(annotations.summary.length).toBeGreaterThan(20);
    expect(annotations.description.length).toBeGreaterThan(20);
    expect(annotations.runbook_url).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
    expect(runbooks).toContain(`\n## ${alert}\n`);
  }
});

test('what an alert says names only labels that it has', () => {
  const wrong = alertsAt(1).flatMap(({ alert, annotations }) => {
    const named = [...`${annotations.summary} ${annotations.description}`.matchAll(/\$labels\.(\w+)/g)];
    const labels = RULE_CASES.filter((one) => one.alert === alert).flatMap((one) => Object.keys(one.labels));
    return named
      .map(([, label = '']) => label)
      .filter((label) => !labels.includes(label))
      .map((label) => `${alert} ${label}`);
  });
  expect(wrong).toEqual([]);
});

function alertsAt(timeScale: number): readonly WrittenAlert[] {
  return ruleGroups({ timeScale }).flatMap(({ rules }) =>
    rules.flatMap((rule) => ('alert' in rule ? [rule] : [])),
  );
}
