import type { TimeScale } from '../time-scale.ts';
import type { AlertRule } from './alert-rule.ts';

const PRICES = ['per_token', 'per_image', 'per_second', 'per_request'] as const;

/** What is offered, and at which price. */
export const CATALOGUE_ALERTS: readonly AlertRule[] = [
  {
    name: 'WeighbridgeModelGone',
    for: '15m',
    expr: (time) =>
      `weighbridge_model_listed == 0 and on (target, model) (max_over_time(weighbridge_model_listed[${time.span('1d')}]) == 1)`,
    summary: '{{ $labels.model }} left the list of {{ $labels.target }}',
    description: 'It was listed for our key within the last day and is not now.',
    meaning:
      'A watched model is no longer offered to this key. It clears when the model returns, or after a day.',
    blame: ['gateway', 'account'],
    first: [
      'See whether others left with it (WeighbridgeModelCountDrop).',
      'Ask for the key’s group and for the channel of the model.',
    ],
  },
  {
    name: 'WeighbridgeModelCountDrop',
    for: '15m',
    expr: (time) =>
      `weighbridge_models_listed < 0.8 * max_over_time(weighbridge_models_listed[${time.span('1d')}])`,
    summary: 'A fifth of the models of {{ $labels.target }} is gone (credential {{ $labels.credential }})',
    description: '{{ $value }} models are left.',
    meaning:
      'So many at once is seldom a decision: it is a table of channels that was lost or a group that was emptied.',
    blame: ['gateway'],
    first: ['Compare the archived model lists of yesterday and today.', 'Tell the owner of the gateway.'],
  },
  {
    name: 'WeighbridgePriceChanged',
    expr: (time) =>
      `sum by (target, change) (increase(weighbridge_pricebook_changes_total{change!="version_only"}[${time.span('15m')}])) > 0`,
    summary: 'The price book of {{ $labels.target }} changed: {{ $labels.change }}',
    description: '{{ $value | humanize }} changes in 15 minutes.',
    meaning:
      'A price moved, or a model entered or left the price book. A new version with the same prices is not told.',
    blame: ['gateway'],
    first: [
      'Read the two archived books side by side.',
      'See that the change was announced; expected charges use the new book from the time of the change.',
    ],
  },
  {
    name: 'WeighbridgePriceJump',
    severity: 'page',
    for: '10m',
    expr: (time) => PRICES.map((unit) => jumped(unit, time)).join('\nor\n'),
    summary: '{{ $labels.model }} at {{ $labels.target }} costs a fifth more than yesterday',
    description:
      'Its {{ $labels.kind }}{{ $labels.variant }} price is {{ $value | humanize }} times that of a day ago.',
    meaning:
      'Every request loses money against what was expected. It clears a day after the change, or when the price goes back.',
    blame: ['gateway'],
    first: [
      'Stop or redirect what uses the model where the price is not meant.',
      'Ask the gateway’s owner; keep the archived books of both days for the claim.',
    ],
  },
  {
    name: 'WeighbridgePricebookStale',
    for: '5m',
    expr: (time) => `time() - weighbridge_pricebook_last_fetch_timestamp_seconds > ${time.seconds('6h')}`,
    summary: 'The price book of {{ $labels.target }} was not read for six hours',
    description: 'Last good read {{ $value | humanizeDuration }} ago.',
    meaning:
      'Expected charges are computed from an old book: a change of price would look like a wrong charge.',
    blame: ['gateway', 'network'],
    first: [
      'Read the price book by hand with the same credentials.',
      'See why its probe fails on the status page.',
    ],
  },
  {
    name: 'WeighbridgeCertExpiry',
    for: '1h',
    expr: (time) => `weighbridge_target_tls_not_after_timestamp_seconds - time() < ${time.seconds('14d')}`,
    summary: 'The certificate of {{ $labels.target }} ends soon',
    description: 'In {{ $value | humanizeDuration }} the first certificate of its chain expires.',
    meaning: 'After that every client refuses the gateway.',
    blame: ['gateway', 'network'],
    first: ['Tell whoever renews it; an intermediate certificate may be the one that ends.'],
  },
];

function jumped(unit: (typeof PRICES)[number], time: TimeScale): string {
  const price = `weighbridge_price_usd_${unit}`;
  return `${price} / (${price} offset ${time.span('1d')}) > 1.2`;
}
