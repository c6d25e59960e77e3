import type { ListedAlert } from './alert-rule.ts';
import { AVAILABILITY_ALERTS } from './availability-alerts.ts';
import { CATALOGUE_ALERTS } from './catalogue-alerts.ts';
import { DAEMON_ALERTS, SCHEDULE_ALERTS } from './daemon-alerts.ts';
import { LATENCY_ALERTS, TASK_ALERTS } from './latency-alerts.ts';
import { BUDGET_ALERTS, MONEY_ALERTS } from './money-alerts.ts';

export const ALERT_RULES: readonly ListedAlert[] = [
  ...DAEMON_ALERTS,
  ...AVAILABILITY_ALERTS,
  ...LATENCY_ALERTS,
  ...TASK_ALERTS,
  ...CATALOGUE_ALERTS,
  ...MONEY_ALERTS,
  ...BUDGET_ALERTS,
  ...SCHEDULE_ALERTS,
].map((rule) => ({ severity: 'ticket', ...rule }));
