import type { Result } from '../../contracts/result.ts';
import type { ChargedMoney } from '../../contracts/result-money.ts';
import { MONEY_LINES } from '../words/money-lines.ts';
import { LOAD_TIMES } from './load-csv.ts';

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  /** Plain decimal, all its digits; a sample that is not known is left out, never 0. */
  readonly value: string | null;
}

export interface Family {
  readonly name: string;
  readonly unit: 'usd' | 'ratio' | null;
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** metrics.prom: the sums of the result as gauges, in OpenMetrics text. */
export function openMetrics(result: Result): string {
  const { run_id, target, tool } = result;
  const families: readonly Family[] = [
    ...(result.bill === 'none'
      ? loadFamilies(result)
      : [...billFamilies(result), ...findingFamilies(result)]),
    gauge('weighbridge_audit_exit_code', null, 'Exit code that the command ended with.', [
      { labels: {}, value: String(result.exit_codes[0]?.code ?? 0) },
    ]),
  ];
  const info = `weighbridge_audit_info${labelText({ run_id, target, version: tool.weighbridge })} 1`;
  return [
    '# TYPE weighbridge_audit info',
    '# HELP weighbridge_audit The run that was judged.',
    info,
    ...families.flatMap(familyLines),
    '# EOF',
    '',
  ].join('\n');
}

const SHARES = ['to_the_digit', 'within_bounds', 'not_checkable', 'provisional'] as const;

function billFamilies({ money, coverage, completeness }: Result): readonly Family[] {
  const byModel = (money?.by_model ?? []).flatMap(({ model, ...sums }) => sumSamples({ model }, sums));
  const byKey = (money?.by_key ?? []).flatMap(({ key_fp, ...sums }) =>
    sumSamples({ key_fp: key_fp ?? '' }, sums),
  );
  return [
    gauge(
      'weighbridge_bill_usd',
      'usd',
      'Sums of the audited bill.',
      MONEY_LINES.map((line) => ({ labels: { line }, value: money?.[line] ?? null })),
    ),
    gauge('weighbridge_bill_by_model_usd', 'usd', 'The same for each model.', byModel),
    gauge('weighbridge_bill_by_key_usd', 'usd', 'The same for each API key, by its fingerprint.', byKey),
    gauge(
      'weighbridge_bill_checked_ratio',
      'ratio',
      'Share of the charged USD by how far it was checked.',
      SHARES.map((part) => ({ labels: { part }, value: decimalText(coverage?.[part] ?? null) })),
    ),
    gauge('weighbridge_bill_records', null, 'Usage records judged.', [
      { labels: {}, value: money === null ? null : String(money.records) },
    ]),
    gauge('weighbridge_bill_complete', null, '1 where the usage records were read in full.', [
      { labels: {}, value: completeness === null ? null : completeness.complete ? '1' : '0' },
    ]),
  ];
}

/** The figures of each kind, where there is no bill. */
function loadFamilies({ load }: Result): readonly Family[] {
  const kinds = load?.kinds ?? [];
  const rates = kinds.flatMap(({ kind, asked_rate, achieved_rate, goodput }) =>
    Object.entries({ asked: asked_rate, achieved: achieved_rate, good: goodput }).map(([rate, value]) => ({
      labels: { kind, rate },
      value: decimalText(value),
    })),
  );
  const calls = kinds.flatMap(({ kind, outcomes }) =>
    Object.entries(outcomes).map(([outcome, count]) => ({ labels: { kind, outcome }, value: String(count) })),
  );
  const times = kinds.flatMap(({ kind, latency }) =>
    LOAD_TIMES.flatMap((time) =>
      (['p50', 'p90', 'p99'] as const).map((quantile) => ({
        labels: { kind, time, quantile },
        value: decimalText(latency[time]?.[quantile] ?? null),
      })),
    ),
  );
  const tokens = kinds.flatMap(({ kind, throughput }) => [
    { labels: { kind, of: 'all' }, value: decimalText(throughput?.output_tokens ?? null) },
    { labels: { kind, of: 'stream' }, value: decimalText(throughput?.per_stream ?? null) },
  ]);
  return [
    gauge('weighbridge_load_per_second', null, 'Starts asked for and made, and good calls, a second.', rates),
    gauge('weighbridge_load_calls', null, 'Calls by outcome.', calls),
    gauge('weighbridge_load_milliseconds', null, 'Times of calls that succeeded.', times),
    gauge('weighbridge_load_output_tokens_per_second', null, 'Output tokens a second.', tokens),
  ];
}

function sumSamples(
  labels: Readonly<Record<string, string>>,
  { charged, expected, difference }: Omit<ChargedMoney, 'calls'>,
): readonly Sample[] {
  return Object.entries({ charged, expected, difference }).map(([line, value]) => ({
    labels: { ...labels, line },
    value,
  }));
}

function findingFamilies({ findings }: Result): readonly Family[] {
  const labelsOf = ({ class: name, severity }: Result['findings'][number]) => ({ class: name, severity });
  return [
    gauge(
      'weighbridge_findings',
      null,
      'Findings by class.',
      findings.map((group) => ({ labels: labelsOf(group), value: String(group.count) })),
    ),
    gauge(
      'weighbridge_findings_usd',
      'usd',
      'What they add up to.',
      findings.map((group) => ({ labels: labelsOf(group), value: group.delta })),
    ),
  ];
}

function gauge(name: string, unit: Family['unit'], help: string, samples: readonly Sample[]): Family {
  return { name, unit, help, samples };
}

export function familyLines({ name, unit, help, samples }: Family): readonly string[] {
  const known = samples.flatMap(({ labels, value }) =>
    value === null ? [] : [`${name}${labelText(labels)} ${value}`],
  );
  if (known.length === 0) return [];
  const units = unit === null ? [] : [`# UNIT ${name} ${unit}`];
  return [`# TYPE ${name} gauge`, ...units, `# HELP ${name} ${help}`, ...known];
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function decimalText(share: number | null): string | null {
  return share === null ? null : String(share);
}
