import { BUDGET_CASES } from './budget-cases.ts';
import { CATALOGUE_CASES } from './catalogue-cases.ts';
import { DAEMON_CASES } from './daemon-cases.ts';
import { LATENCY_CASES } from './latency-cases.ts';
import { MONEY_CASES } from './money-cases.ts';
import type { RuleCase } from './rule-case.ts';
import { RUN_CASES } from './run-cases.ts';
import { SCHEDULE_CASES } from './schedule-cases.ts';
import { TASK_CASES } from './task-cases.ts';

/** WeighbridgeWatchdog alone has no fault: it fires always. */
export const RULE_CASES: readonly RuleCase[] = [
  ...DAEMON_CASES,
  ...RUN_CASES,
  ...LATENCY_CASES,
  ...TASK_CASES,
  ...CATALOGUE_CASES,
  ...MONEY_CASES,
  ...BUDGET_CASES,
  ...SCHEDULE_CASES,
];
