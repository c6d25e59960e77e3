import type { BoardSpec, PanelSpec } from './board-spec.ts';
import { load } from './select.ts';

const QUANTILES = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;

/** Of the calls that ended in the window of the panel. */
function quantile(share: number, by: string, key: Parameters<typeof load>[0], matchers = ''): string {
  return `histogram_quantile(${share}, sum by (${by}) (rate(${load(key, 'seconds', matchers)}[$__rate_interval])))`;
}

function trend(title: string, key: Parameters<typeof load>[0], description: string): PanelSpec {
  return {
    title,
    description,
    unit: 's',
    queries: Object.fromEntries(
      Object.entries(QUANTILES).map(([part, share]) => [
        `{{scenario}} {{model}} ${part}`,
        quantile(share, 'scenario, model', key, 'phase="measured"'),
      ]),
    ),
  };
}

export const LOAD_BOARD: BoardSpec = {
  uid: 'weighbridge-load',
  title: 'Weighbridge: load runs',
  description:
    'Load runs while they go, through the remote write of k6. What a run concludes stands in its report.',
  family: 'load',
  panels: (time) => {
    // k6 tells a counter only once it has counted.
    const ended = `sum by (scenario) (increase(${load('calls', 'total')}[${time.span('1h')}]))`;
    return [
      {
        title: 'Active runs',
        description:
          'Targets that a load run of ours is under way on: alerts that load can cause are silent for them.',
        unit: 'bool_yes_no',
        kind: 'state',
        width: 24,
        queries: {
          '{{testid}} {{target_name}} {{target}}': `max by (testid, target, target_name) (${load('run_active', '')})`,
        },
      },
      {
        title: 'Calls by outcome',
        description: 'Attempts that ended.',
        unit: 'ops',
        kind: 'stacked',
        queries: {
          '{{scenario}} {{outcome}}': `sum by (scenario, outcome) (rate(${load('calls', 'total')}[$__rate_interval]))`,
        },
      },
      {
        title: 'Calls under way',
        description: 'Paid calls in flight by scenario.',
        kind: 'stacked',
        queries: { '{{testid}} {{scenario}}': `sum by (testid, scenario) (${load('in_flight', '')})` },
      },
      trend('First token', 'ttft', 'Sent to first generated content, of streams that ended well.'),
      trend('Whole call', 'duration', 'Sent to end, of calls that ended well.'),
      trend('Time per output token', 'tpot', 'Of streams that ended well.'),
      trend(
        'Whole call from its planned start',
        'duration_from_plan',
        'What a user waits who came when the plan says.',
      ),
      {
        title: 'Objectives attained',
        description: 'Share of measured calls within each objective.',
        noValue: 'the plan has no objectives',
        unit: 'percentunit',
        queries: {
          '{{scenario}} {{objective}}': `min by (scenario, objective) (${load('attained', 'rate')})`,
        },
      },
      {
        title: 'Calls that ended well, and starts dropped',
        description: 'Shares so far.',
        unit: 'percentunit',
        queries: {
          '{{scenario}} ok': `min by (scenario) (${load('ok', 'rate', 'phase="measured"')})`,
          '{{scenario}} dropped': `max by (scenario) (${load('dropped', 'rate')})`,
        },
      },
      {
        title: 'Tokens a second',
        description: 'As the answers tell them.',
        unit: 'ops',
        queries: {
          '{{model}} in': `sum by (model) (rate(${load('tokens_in', 'total')}[$__rate_interval]))`,
          '{{model}} out': `sum by (model) (rate(${load('tokens_out', 'total')}[$__rate_interval]))`,
        },
      },
      {
        title: 'Spend reserved',
        description: 'Worst case, for display: the ledger has the exact amount.',
        unit: 'currencyUSD',
        queries: { '{{testid}}': `sum by (testid) (${load('reserved_display', '')})` },
      },
      {
        title: 'Lateness of starts',
        description: 'Actual less planned start, 99 of 100. Where it grows, the client is the limit.',
        unit: 's',
        queries: { '{{scenario}}': quantile(QUANTILES.p99, 'scenario', 'schedule_lag') },
      },
      {
        title: 'The load engine itself: lateness of a timer',
        description: 'Largest of the last second, in milliseconds.',
        unit: 'ms',
        queries: { '{{instance}}': `max by (instance) (${load('client_timer_lag', '')})` },
      },
      {
        title: 'The load engine itself: processor cores',
        description: 'Used in the last second.',
        unit: 'none',
        queries: { '{{instance}}': `max by (instance) (${load('client_cpu', '')})` },
      },
      {
        title: 'Attempts after the first, by hour',
        description:
          'Retries, and starts that were held because the target asked to wait or a cap stopped them.',
        queries: {
          '{{scenario}} retries': `sum by (scenario) (increase(${load('retries', 'total')}[${time.span('1h')}])) or 0 * ${ended}`,
          '{{scenario}} held': `sum by (scenario) (increase(${load('held', 'total')}[${time.span('1h')}])) or 0 * ${ended}`,
        },
      },
    ];
  },
};
