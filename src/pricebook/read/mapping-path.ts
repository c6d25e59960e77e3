import type { BookText } from '../adapters/book-text.ts';
import { isMapping } from '../adapters/unmapped-keys.ts';

/** A step into a value: a key, every key of a mapping, every item of a list, or one item of it. */
export type PathStep =
  | { readonly key: string }
  | { readonly every: 'key' | 'item' }
  | { readonly item: number };

/** What a path reaches. */
export interface PathHit {
  readonly value: BookText;
  /** The path with `*` and `[*]` where it has them, as coverage shows it. */
  readonly shape: string;
  /** The keys that its `*` stand for, in order. */
  readonly keys: readonly string[];
}

const STEP = /(?:^|\.)(\*|"[^"\\]*"|[^.[\]"*]+)|\[(\*|\d{1,9})\]/y;

/** Reads `a.b`, `a[*].c`, `prices.*`, `"a key with. dots"[0]`; null for anything else. Empty is the value itself. */
export function parsePath(text: string): readonly PathStep[] | null {
  const steps: PathStep[] = [];
  if (text.startsWith('.')) return null;
  STEP.lastIndex = 0;
  while (STEP.lastIndex < text.length) {
    const match = STEP.exec(text);
    if (match === null) return null;
    const [, name, item] = match;
    if (item !== undefined) steps.push(item === '*' ? { every: 'item' } : { item: Number(item) });
    else if (name === '*') steps.push({ every: 'key' });
    else if (name !== undefined) steps.push({ key: name.startsWith('"') ? name.slice(1, -1) : name });
  }
  return steps;
}

/** Everything that a path reaches, in order; nothing where it leads nowhere. `from` is the shape of the value. */
export function reach(value: BookText, steps: readonly PathStep[], from = ''): readonly PathHit[] {
  return steps.reduce<readonly PathHit[]>(
    (hits, step) => hits.flatMap((hit) => stepInto(hit, step)),
    [{ value, shape: from, keys: [] }],
  );
}

function stepInto(hit: PathHit, step: PathStep): readonly PathHit[] {
  const { value, shape } = hit;
  if ('key' in step) {
    const held = isMapping(value) && Object.hasOwn(value, step.key) ? value[step.key] : undefined;
    return held === undefined ? [] : [{ value: held, shape: joined(shape, step.key), keys: hit.keys }];
  }
  if ('item' in step) {
    const held = Array.isArray(value) ? value[step.item] : undefined;
    return held === undefined ? [] : [{ value: held, shape: `${shape}[${step.item}]`, keys: hit.keys }];
  }
  if (step.every === 'item') {
    return Array.isArray(value)
      ? value.map((held) => ({ value: held, shape: `${shape}[*]`, keys: hit.keys }))
      : [];
  }
  return isMapping(value)
    ? Object.entries(value).map(([key, held]) => ({
        value: held,
        shape: joined(shape, '*'),
        keys: [...hit.keys, key],
      }))
    : [];
}

export function joined(shape: string, key: string): string {
  const name = key === '*' || /^[^.[\]"*]+$/.test(key) ? key : JSON.stringify(key);
  return shape === '' ? name : `${shape}.${name}`;
}
