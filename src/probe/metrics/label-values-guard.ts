import { OTHER } from '../../contracts/metrics/label-values.ts';
import type { ProbeLabelSource, ProbeMetric } from '../../contracts/metrics/probe-metric.ts';

/** Model ids and names are far shorter; what a target serves may be of any length. */
const MAX_VALUE_LENGTH = 200;
const STATUS = /^[1-5][0-9]{2}$/;

export interface GuardedLabels {
  /** In the order of the catalogue. */
  readonly values: readonly string[];
  /** False where a value is on no list of its label and became `other`. */
  readonly listed: boolean;
}

type Check = (value: string) => string | null;

/** Brings the label values of one metric to what its catalogue entry allows. */
export class LabelValuesGuard {
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
