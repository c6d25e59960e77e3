import type { TimeScale } from '../time-scale.ts';
import type { AlertRule } from './alert-rule.ts';

const TTFT = 'weighbridge_probe_time_to_first_token_seconds';
const BY = '(target, api, model)';

export const LATENCY_ALERTS: readonly AlertRule[] = [
  {
    name: 'WeighbridgeFirstTokenSlow',
    for: '10m',
    held: true,
    partOfOutage: true,
    expr: (
      time,
    ) => `histogram_quantile(0.9, sum by (le, target, api, model) (rate(${TTFT}_bucket[${time.span('1h')}]))) > ${time.latency('5s')}
and on ${BY} (sum by ${BY} (increase(${TTFT}_count[${time.span('1h')}])) >= 10)`,
    summary: 'The first token of {{ $labels.model }} ({{ $labels.api }}) is slow at {{ $labels.target }}',
    description: 'One stream in ten of the last hour waited {{ $value | humanizeDuration }} or longer.',
    meaning:
      'One stream in ten waits more than 5 seconds for its first token. The alert needs at least ten streams.',
    blame: ['upstream', 'gateway'],
    first: [
      'Compare the same model in three formats. If one format is slow, suspect the gateway. If all three are slow, suspect the channel.',
      'Compare first event and first token. An early event with a late token means that the model is thinking; the network is not slow.',
    ],
  },
  {
    name: 'WeighbridgeFirstTokenRegression',
    for: '30m',
    held: true,
    partOfOutage: true,
    expr: (time) => `(${meanOf(time, '1h', '')})
> 2 * (${meanOf(time, '1d', ` offset ${time.span('1d')}`)})`,
    summary: 'The first token of {{ $labels.model }} ({{ $labels.api }}) takes twice as long as yesterday',
    description: 'Mean of the last hour at {{ $labels.target }}: {{ $value | humanizeDuration }}.',
    meaning: 'The alert compares means and not quantiles: with a dozen runs an hour, the mean is steadier.',
    blame: ['upstream', 'gateway'],
    first: [
      'Find out when it began on “Latency by model and format”. Then check which deployment or channel changed at that time.',
      'Check whether the input grew. Cached input may no longer be cached.',
    ],
  },
  {
    name: 'WeighbridgeStreamBroken',
    severity: 'page',
    held: true,
    partOfOutage: true,
    expr: (time) =>
      `sum by (target, api, error_type) (increase(weighbridge_probe_runs_total{error_type=~"stream_.*"}[${time.span('30m')}])) >= 3`,
    summary: 'Streams of {{ $labels.api }} at {{ $labels.target }} break: {{ $labels.error_type }}',
    description: '{{ $value | humanize }} streams in 30 minutes answered HTTP 200 and did not end correctly.',
    meaning:
      'Streams with HTTP 200 have no terminator, are cut, are empty or contain an error event. Monitors of status codes do not see it. Clients wait, or lose answers that they pay for.',
    blame: ['gateway', 'upstream', 'network'],
    first: [
      'Read the error type. `stream_truncated` and `stream_no_terminator` point to a proxy or a timeout on the way, `stream_error_event` to the channel.',
      'Check whether they break after the same number of seconds. That means a timeout.',
      'Check whether the calls were charged: see WeighbridgeChargeMismatch and `weighbridge reconcile`.',
    ],
  },
  {
    name: 'WeighbridgeUpstreamCrowded',
    for: '15m',
    held: true,
    expr: (
      time,
    ) => `sum by (target, model) (rate(weighbridge_probe_runs_total{error_type="upstream_crowded"}[${time.span('30m')}]))
/ sum by (target, model) (rate(weighbridge_probe_runs_total[${time.span('30m')}])) > 0.25`,
    summary: '{{ $labels.model }} at {{ $labels.target }} is crowded upstream',
    description: '{{ $value | humanizePercentage }} of its runs in 30 minutes were refused for capacity.',
    meaning:
      'HTTP 429 with `upstream_crowded` means that the channel has no capacity. Your credit and your request rate are not the cause.',
    blame: ['upstream'],
    first: [
      'Tell the owner of the channel. Check whether the model has another channel.',
      'Check whether somebody else runs a load test.',
    ],
  },
];

function meanOf(time: TimeScale, window: string, offset: string): string {
  const rate = (part: string): string =>
    `sum by ${BY} (rate(${TTFT}_${part}[${time.span(window)}]${offset}))`;
  return `${rate('sum')} / ${rate('count')}`;
}

export const TASK_ALERTS: readonly AlertRule[] = [
  {
    name: 'WeighbridgeTaskStuck',
    for: '5m',
    held: true,
    partOfOutage: true,
    expr: (time) =>
      `time() - weighbridge_probe_task_oldest_open_timestamp_seconds > ${time.seconds('30m')} and weighbridge_probe_tasks_open > 0`,
    summary: 'A task of probe {{ $labels.probe }} at {{ $labels.target }} does not end',
    description: 'The oldest open task was created {{ $value | humanizeDuration }} ago.',
    meaning: 'A task is neither completed nor failed after 30 minutes. Its reserve is not released.',
    blame: ['upstream', 'gateway'],
    first: [
      'Read the task by hand. Check whether it is queued, in progress, or unknown to the gateway.',
      'Do not create it again: it may still be charged. See WeighbridgePendingPilesUp.',
    ],
  },
  {
    name: 'WeighbridgeTaskFailureRatio',
    held: true,
    partOfOutage: true,
    expr: (
      time,
    ) => `sum by (target, api) (increase(weighbridge_probe_tasks_total{final!="completed"}[${time.span('6h')}]))
/ sum by (target, api) (increase(weighbridge_probe_tasks_total[${time.span('6h')}])) > 0.3
and on (target, api) (sum by (target, api) (increase(weighbridge_probe_tasks_total[${time.span('6h')}])) >= 4)`,
    summary: 'Tasks of {{ $labels.api }} at {{ $labels.target }} fail',
    description: '{{ $value | humanizePercentage }} of the tasks of six hours did not complete.',
    meaning:
      'A failed task answers HTTP 200 with status `failed`. The alert needs four tasks or more, because tasks are expensive and rare.',
    blame: ['upstream', 'gateway'],
    first: [
      'See the final states on “Images and video tasks”. failed, timeout, lost and rejected are four different faults.',
      'Check that failed tasks were refunded.',
    ],
  },
  {
    name: 'WeighbridgeIllegalTransition',
    expr: (time) =>
      `sum by (target, api, from, to) (increase(weighbridge_probe_task_transitions_total{legal="false"}[${time.span('1h')}])) > 0`,
    summary:
      'A task of {{ $labels.api }} at {{ $labels.target }} went from {{ $labels.from }} to {{ $labels.to }}',
    description: '{{ $value | humanize }} such changes in the last hour.',
    meaning:
      'A task left a final state, or broke the documented order of states. Clients that stop at the first final state have a wrong answer.',
    blame: ['gateway'],
    first: [
      'Read the task and its usage record. Check which of the states was charged.',
      'Look for replicas of the gateway that do not share their state.',
    ],
  },
  {
    name: 'WeighbridgeNegativeProbeAccepted',
    severity: 'page',
    expr: (time) =>
      `sum by (target, probe) (increase(weighbridge_probe_runs_total{api="negative",error_type="unexpected_accept"}[${time.span('1h')}])) > 0`,
    summary: '{{ $labels.target }} served a request that it must refuse ({{ $labels.probe }})',
    description: '{{ $value | humanize }} such requests were served in the last hour.',
    meaning:
      'The gateway answered a request without a key, with a key of the wrong kind, or for a model that does not exist. Strangers may be able to use it.',
    blame: ['gateway'],
    first: [
      'Repeat the request by hand. If it is answered, the gateway is open. Tell its owner now.',
      'Look at the last change of its authentication, and at proxies that add credentials.',
    ],
  },
  {
    name: 'WeighbridgeContractViolation',
    partOfOutage: true,
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
