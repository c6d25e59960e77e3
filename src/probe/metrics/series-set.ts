import { OTHER } from '../../contracts/metrics/label-values.ts';
import type { ProbeLabelSource, ProbeMetric } from '../../contracts/metrics/probe-metric.ts';

/** Model ids and names are far shorter; what a target serves may be of any length. */
const MAX_VALUE_LENGTH = 200;
const STATUS = /^[1-5][0-9]{2}$/;

interface GuardedLabels {
  /** In the order of the catalogue. */
  readonly values: readonly string[];
  /** False where a value is on no list of its label and became `other`. */
  readonly listed: boolean;
}

type Check = (value: string) => string | null;

/** Brings the label values of one metric to what its catalogue entry allows. */
class LabelValuesGuard {
  readonly #checks: readonly { readonly name: string; readonly check: Check; readonly fallback: string }[];

  constructor(metric: ProbeMetric) {
    this.#checks = metric.labels.map((name) => {
      const source = metric.values[name] ?? 'configuration';
      return { name, check: checkOf(source), fallback: fallbackOf(source) };
    });
  }

  guard(labels: Readonly<Partial<Record<string, string>>>): GuardedLabels {
    let listed = true;
    const values = this.#checks.map(({ name, check, fallback }) => {
      const value = check(labels[name] ?? '');
      if (value !== null) return value;
      listed = false;
      return fallback;
    });
    return { values, listed };
  }
}

function checkOf(source: ProbeLabelSource): Check {
  if (source === 'status') return (value) => (STATUS.test(value) ? value : null);
  if (typeof source === 'string') return asText;
  const closed = new Set(source);
  return (value) => (closed.has(value) ? value : null);
}

/** Lone surrogates go first: written as UTF-8, two of them are one series twice, and Prometheus refuses the scrape. */
function asText(value: string): string {
  const text = value.isWellFormed() ? value : value.toWellFormed();
  return text.length <= MAX_VALUE_LENGTH ? text : text.slice(0, MAX_VALUE_LENGTH).toWellFormed();
}

/** `_OTHER` is what the list of error types itself says for one that it does not know. */
function fallbackOf(source: ProbeLabelSource): string {
  return typeof source !== 'string' && source.includes('_OTHER') ? '_OTHER' : OTHER;
}

export type SeriesLabels = Readonly<Record<string, string>>;

export interface AdmittedSeries {
  /** Null where a gauge has no room. */
  readonly labels: SeriesLabels | null;
  readonly created: boolean;
  /** A label value or the whole label set was folded, or there was no room. */
  readonly folded: boolean;
}

/**
 * The label sets that one metric has, at most `limit` of them. The last place of counters and histograms is kept for what
 * is beyond: there all labels are `other`. A gauge has no such series, since one value cannot stand for many things. A
 * label set of a histogram is one, whatever its buckets.
 */
export class SeriesSet {
  readonly #names: readonly string[];
  readonly #sortedNames: readonly string[];
  readonly #guard: LabelValuesGuard;
  readonly #others: readonly string[] | null;
  readonly #room: number;
  readonly #series = new Map<string, SeriesLabels>();
  /** What prom-client knows a label set by. */
  readonly #hashes = new Set<string>();

  constructor(metric: ProbeMetric, limit: number) {
    this.#names = metric.labels;
    this.#sortedNames = [...metric.labels].sort();
    this.#guard = new LabelValuesGuard(metric);
    const folds = metric.type !== 'gauge' && metric.labels.length > 0;
    this.#others = folds ? metric.labels.map(() => OTHER) : null;
    this.#room = folds ? limit - 1 : limit;
  }

  admit(labels: SeriesLabels): AdmittedSeries {
    const { values, listed } = this.#guard.guard(labels);
    const known = this.#get(values);
    if (known !== undefined) return { labels: known, created: false, folded: !listed };
    const added = this.#add(values);
    if (added !== null) return { labels: added, created: true, folded: !listed };
    if (this.#others === null) return { labels: null, created: false, folded: true };
    const others = this.#get(this.#others);
    return { labels: others ?? this.#keep(this.#others), created: others === undefined, folded: true };
  }

  has(labels: SeriesLabels): boolean {
    return this.#get(this.#guard.guard(labels).values) !== undefined;
  }

  /** Takes out every label set that has these values, and tells which they were. */
  remove(matching: Partial<SeriesLabels>): readonly SeriesLabels[] {
    const guarded = this.#guard.guard(matching).values;
    const wanted = this.#names.flatMap((name, at) =>
      matching[name] === undefined ? [] : [{ name, value: guarded[at] ?? '' }],
    );
    const removed: SeriesLabels[] = [];
    for (const [key, labels] of this.#series) {
      if (!wanted.every(({ name, value }) => labels[name] === value)) continue;
      this.#series.delete(key);
      this.#hashes.delete(this.#hashOf(labels));
      removed.push(labels);
    }
    return removed;
  }

  #get(values: readonly string[]): SeriesLabels | undefined {
    return this.#series.get(keyOf(values));
  }

  /** Null where there is no room, or where prom-client would take it for another series. */
  #add(values: readonly string[]): SeriesLabels | null {
    const taken =
      this.#series.size - (this.#others !== null && this.#get(this.#others) !== undefined ? 1 : 0);
    if (taken >= this.#room || this.#hashes.has(this.#hashOf(this.#labelsOf(values)))) return null;
    return this.#keep(values);
  }

  #keep(values: readonly string[]): SeriesLabels {
    const labels = this.#labelsOf(values);
    this.#series.set(keyOf(values), labels);
    this.#hashes.add(this.#hashOf(labels));
    return labels;
  }

  #labelsOf(values: readonly string[]): SeriesLabels {
    return Object.fromEntries(this.#names.map((name, at) => [name, values[at] ?? '']));
  }

  /** As prom-client 15.1.3 does, in lib/util.js: a value with `,name:` in it can make two label sets one. */
  #hashOf(labels: SeriesLabels): string {
    return this.#sortedNames.map((name) => `${name}:${labels[name]},`).join('');
  }
}

function keyOf(values: readonly string[]): string {
  return JSON.stringify(values);
}
