import { LIST_CREDENTIALS, MODEL_ANSWERS, MODEL_CHANGES } from '../../contracts/metrics/label-values.ts';
import type { ErrorType } from '../../contracts/outcome.ts';
import type { ProbeTarget } from '../../contracts/probe-plan.ts';
import type { ProbeMetricsRegistry } from '../metrics/probe-metrics-registry.ts';

export type ListCredential = (typeof LIST_CREDENTIALS)[number];

export interface ModelDifferences {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Refusals that say of the model that nobody serves it now. */
const UNAVAILABLE: readonly ErrorType[] = ['model_not_found', 'upstream_crowded', 'upstream_unavailable'];

const COUNTS = [
  'weighbridge_models_listed',
  'weighbridge_model_listed',
  'weighbridge_models_probed',
  'weighbridge_models_changes_total',
] as const;

/** What a target lists with and without the key, how that changes, and whether listed models answer. */
export class ModelWatch {
  readonly #metrics: ProbeMetricsRegistry;
  readonly #name: string;
  #target: ProbeTarget;
  readonly #lists: Map<ListCredential, readonly string[]>;
  /** Lists that this process has read itself. */
  readonly #read = new Set<ListCredential>();
  readonly #available = new Map<string, boolean>();

  /** `earlier`: the last lists that were archived. */
  constructor(
    target: ProbeTarget,
    metrics: ProbeMetricsRegistry,
    earlier: ReadonlyMap<ListCredential, readonly string[]>,
  ) {
    this.#metrics = metrics;
    this.#name = target.name;
    this.#target = target;
    this.#lists = new Map(earlier);
    metrics.precreate(
      'weighbridge_models_changes_total',
      LIST_CREDENTIALS.flatMap((credential) =>
        MODEL_CHANGES.map((change) => ({ target: target.name, credential, change })),
      ),
    );
  }

  /** A list that was just served. */
  read(credential: ListCredential, ids: readonly string[]): ModelDifferences {
    const listed = [...new Set(ids)];
    const before = this.#lists.get(credential);
    const found = before === undefined ? { added: [], removed: [] } : modelDifferences(before, listed);
    this.#lists.set(credential, listed);
    this.#read.add(credential);
    for (const change of MODEL_CHANGES) {
      const labels = { target: this.#name, credential, change };
      this.#metrics.inc('weighbridge_models_changes_total', labels, found[change].length);
    }
    this.#metrics.set('weighbridge_models_listed', { target: this.#name, credential }, listed.length);
    this.#show();
    return found;
  }

  /** The list by which prices are looked at: that of the key, else the public one; null before the first read. */
  listed(): readonly string[] | null {
    const credential = (['key', 'none'] as const).find((each) => this.#read.has(each));
    return credential === undefined ? null : (this.#lists.get(credential) ?? null);
  }

  /** By a list that this process has read with the key. */
  listsForKey(model: string): boolean {
    return this.#read.has('key') && (this.#lists.get('key')?.includes(model) ?? false);
  }

  /** A paid run has ended. What says nothing of the model, as a refused key or a dead network, changes nothing. */
  ended(model: string, error: ErrorType): void {
    const answers = UNAVAILABLE.includes(error) ? false : error === 'none' ? true : null;
    // Every paid run ends here, and hardly one of them changes anything.
    if (answers === null || this.#available.get(model) === answers) return;
    this.#available.set(model, answers);
    this.#show();
  }

  replace(target: ProbeTarget): void {
    this.#target = target;
    this.#show();
  }

  close(): void {
    for (const name of COUNTS) this.#metrics.remove(name, { target: this.#name });
  }

  #show(): void {
    const listed = this.#read.has('key') ? new Set(this.#lists.get('key')) : null;
    this.#metrics.remove('weighbridge_model_listed', { target: this.#name });
    if (listed === null) return;
    for (const model of this.#target.watched_models) {
      const labels = { target: this.#name, model };
      this.#metrics.set('weighbridge_model_listed', labels, listed.has(model) ? 1 : 0);
    }
    const probed = new Set(this.#target.probes.flatMap(({ model }) => model ?? []));
    const answers = [...this.#available].filter(([model]) => probed.has(model) && listed.has(model));
    for (const state of MODEL_ANSWERS) {
      const count = answers.filter(([, available]) => available === (state === 'available')).length;
      this.#metrics.set('weighbridge_models_probed', { target: this.#name, state }, count);
    }
  }
}

export function modelDifferences(before: readonly string[], after: readonly string[]): ModelDifferences {
  const [old, now] = [new Set(before), new Set(after)];
  return {
    added: [...now].filter((id) => !old.has(id)).sort(),
    removed: [...old].filter((id) => !now.has(id)).sort(),
  };
}
