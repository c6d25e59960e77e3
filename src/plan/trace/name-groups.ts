import type { PaidKind } from '../../core/call-kind.ts';

interface Group {
  readonly kind: PaidKind;
  readonly model: string | null;
}

/**
 * Names the scenarios of a trace: the kind, and behind it the model where the trace has several of a kind. Names are of
 * `[0-9a-zA-Z_-]+` and unique: models that differ in other characters only get a number, in the order of their starts.
 */
export function nameGroups(lines: readonly Group[]): (kind: PaidKind, model: string | null) => string {
  const models = new Map<PaidKind, Set<string | null>>();
  for (const { kind, model } of lines) {
    const known = models.get(kind) ?? new Set();
    known.add(model);
    models.set(kind, known);
  }
  const names = new Map<string, string>();
  const taken = new Set<string>(models.keys());
  for (const [kind, known] of models) {
    for (const model of known) {
      const name = known.size === 1 ? kind : unused(`${kind}-${slug(model)}`, taken);
      taken.add(name);
      names.set(keyOf(kind, model), name);
    }
  }
  return (kind, model) => names.get(keyOf(kind, model)) ?? kind;
}

function slug(model: string | null): string {
  return (model ?? 'any').replace(/[^0-9a-zA-Z_-]+/g, '-').replace(/^-+|-+$/g, '') || 'model';
}

function unused(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let n = 2; taken.has(free); n += 1) free = `${name}-${n}`;
  return free;
}

function keyOf(kind: PaidKind, model: string | null): string {
  return JSON.stringify([kind, model]);
}
