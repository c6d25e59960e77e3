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
      'A watched model is no longer offered to this key. The alert clears when the model returns, or after a day.',
    blame: ['gateway', 'account'],
    first: [
      'Check whether other models disappeared with it (WeighbridgeModelCountDrop).',
      'Ask the owner of the gateway for the group of the key and the channel of the model.',
    ],
  },
  {
    name: 'WeighbridgeModelCountDrop',
    for: '15m',
    expr: (time) =>
      `weighbridge_models_listed < 0.8 * max_over_time(weighbridge_models_listed[${time.span('1d')}])`,
    summary:
      'A fifth of the models of {{ $labels.target }} disappeared (credential {{ $labels.credential }})',
    description: '{{ $value }} models are left.',
    meaning:
      'Many models disappeared at once. The usual cause is a lost table of channels or an emptied group.',
    blame: ['gateway'],
    first: ['Compare the archived model lists of yesterday and today.', 'Tell the owner of the gateway.'],
  },
  {
    name: 'WeighbridgePriceChanged',
    expr: (time) =>
      `sum by (target, change) (increase(weighbridge_pricebook_changes_total{change!="version_only"}[${time.span('15m')}])) > 0`,
    summary: 'The price list of {{ $labels.target }} changed: {{ $labels.change }}',
    description: '{{ $value | humanize }} changes in 15 minutes.',
    meaning:
      'A price changed, or the list gained or lost a model. A new version with the same prices does not fire.',
    blame: ['gateway'],
    first: [
      'Compare the two archived price lists.',
      'Check that the change was announced. Expected charges use the new list from the time of the change.',
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
      'Every request costs more than expected. The alert clears a day after the change, or when the price goes back.',
    blame: ['gateway'],
    first: [
      'If you do not accept the price, stop or redirect what uses the model.',
      'Ask the owner of the gateway. Keep the archived price lists of both days for a claim.',
    ],
  },
  {
    name: 'WeighbridgePricebookStale',
    for: '5m',
    partOfOutage: true,
    expr: (time) => `time() - weighbridge_pricebook_last_fetch_timestamp_seconds > ${time.seconds('6h')}`,
    summary: 'The price list of {{ $labels.target }} was not read for six hours',
    description: 'The last good read was {{ $value | humanizeDuration }} ago.',
    meaning:
      'Expected charges come from an old price list. A change of price would look like a wrong charge.',
    blame: ['gateway', 'network'],
    first: [
      'Read the price list by hand with the same credentials.',
      'Open the status page. It shows why the probe fails.',
    ],
  },
  {
    name: 'WeighbridgeCertExpiry',
    for: '1h',
    expr: (time) => `weighbridge_target_tls_not_after_timestamp_seconds - time() < ${time.seconds('14d')}`,
    summary: 'The certificate of {{ $labels.target }} expires soon',
    description: 'The first certificate of its chain expires in {{ $value | humanizeDuration }}.',
    meaning: 'After that every client refuses the gateway.',
    blame: ['gateway', 'network'],
    first: ['Tell the owner of the certificate. It may be an intermediate certificate that expires.'],
  },
];

function jumped(unit: (typeof PRICES)[number], time: TimeScale): string {
  const price = `weighbridge_price_usd_${unit}`;
  return `${price} / (${price} offset ${time.span('1d')}) > 1.2`;
}
