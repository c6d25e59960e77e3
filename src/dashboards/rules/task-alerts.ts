import type { AlertRule } from './alert-rule.ts';

export const TASK_ALERTS: readonly AlertRule[] = [
  {
    name: 'WeighbridgeTaskStuck',
    severity: 'ticket',
    for: '5m',
    held: true,
    expr: (time) =>
      `time() - weighbridge_probe_task_oldest_open_timestamp_seconds > ${time.seconds('30m')} and weighbridge_probe_tasks_open > 0`,
    summary: 'A task of probe {{ $labels.probe }} at {{ $labels.target }} does not end',
    description: 'The oldest open task was created {{ $value | humanizeDuration }} ago.',
    meaning: 'A task is neither completed nor failed after 30 minutes. What it reserved stays reserved.',
    blame: ['upstream', 'gateway'],
    first: [
      'Read the task by hand: is it queued, in progress, or unknown to the gateway?',
      'Do not create it again: it may still be charged. See WeighbridgePendingPilesUp.',
    ],
  },
  {
    name: 'WeighbridgeTaskFailureRatio',
    severity: 'ticket',
    for: null,
    held: true,
    expr: (
      time,
    ) => `sum by (target, api) (increase(weighbridge_probe_tasks_total{final!="completed"}[${time.span('6h')}]))
/ sum by (target, api) (increase(weighbridge_probe_tasks_total[${time.span('6h')}])) > 0.3
and on (target, api) (sum by (target, api) (increase(weighbridge_probe_tasks_total[${time.span('6h')}])) >= 4)`,
    summary: 'Tasks of {{ $labels.api }} at {{ $labels.target }} fail',
    description: '{{ $value | humanizePercentage }} of the tasks of six hours did not complete.',
    meaning:
      'A failed task answers HTTP 200 with status `failed`. Four tasks or more are needed, for they are dear and rare.',
    blame: ['upstream', 'gateway'],
    first: [
      'See the final states on “Images and video tasks”: failed, timeout, lost and rejected are four different faults.',
      'See that failed tasks were refunded.',
    ],
  },
  {
    name: 'WeighbridgeIllegalTransition',
    severity: 'ticket',
    for: null,
    held: false,
    expr: (time) =>
      `sum by (target, api, from, to) (increase(weighbridge_probe_task_transitions_total{legal="false"}[${time.span('1h')}])) > 0`,
    summary:
      'A task of {{ $labels.api }} at {{ $labels.target }} went from {{ $labels.from }} to {{ $labels.to }}',
    description: '{{ $value | humanize }} such changes in the last hour.',
    meaning:
      'A final state was left, or the documented order of states was broken. Clients that stop at the first final state have a wrong answer.',
    blame: ['gateway'],
    first: [
      'Read the task and its usage record: which of the states was charged?',
      'Look for replicas of the gateway that do not share their state.',
    ],
  },
  {
    name: 'WeighbridgeNegativeProbeAccepted',
    severity: 'page',
    for: null,
    held: false,
    expr: (time) =>
      `sum by (target, probe) (increase(weighbridge_probe_runs_total{api="negative",error_type="unexpected_accept"}[${time.span('1h')}])) > 0`,
    summary: '{{ $labels.target }} served a request that it must refuse ({{ $labels.probe }})',
    description: '{{ $value | humanize }} such requests were served in the last hour.',
    meaning:
      'An open door or free service: a request without a key, with a key of the wrong kind, or for a model that does not exist was answered.',
    blame: ['gateway'],
    first: [
      'Repeat the request by hand. If it is served, the gateway is open: tell its owner now.',
      'Look at the last change of its authentication, and at proxies that add credentials.',
    ],
  },
  {
    name: 'WeighbridgeContractViolation',
    severity: 'ticket',
    for: null,
    held: false,
    expr: (time) =>
      `sum by (target, rule) (increase(weighbridge_contract_violations_total[${time.span('6h')}])) > 0`,
    summary: '{{ $labels.target }} breaks its interface: {{ $labels.rule }}',
    description: '{{ $value | humanize }} answers of the last six hours broke the rule.',
    meaning:
      'Error bodies, request ids, content types or codes are not what the description of the interface says: client libraries may misread them.',
    blame: ['gateway'],
    first: [
      'Look the rule up in the description of the interface and compare it with an answer.',
      'Report it with the request id of the exemplar.',
    ],
  },
];
