import { EXERCISED_KINDS, type ExercisedLine } from '../../contracts/coverage-result.ts';

type Kind = ExercisedLine['kind'];

/** How often each line was gone over. One that is only named stays at 0, which says: never. */
export class ExercisedTally {
  readonly #lines = new Map<string, { line: Omit<ExercisedLine, 'seen'>; seen: number }>();

  name(kind: Kind, model: string | null, line: string): void {
    this.add(kind, model, line, 0);
  }

  add(kind: Kind, model: string | null, line: string, times = 1): void {
    const key = `${kind}\n${model ?? ''}\n${line}`;
    const held = this.#lines.get(key);
    if (held === undefined) this.#lines.set(key, { line: { kind, line, model }, seen: times });
    else held.seen += times;
  }

  /** By kind, model and line; numbers in a line by their value. */
  lines(): readonly ExercisedLine[] {
    return [...this.#lines.values()].map(({ line, seen }) => ({ ...line, seen })).sort(byLine);
  }
}

const IN_ORDER = new Intl.Collator('en', { numeric: true, sensitivity: 'variant' });

function byLine(left: ExercisedLine, right: ExercisedLine): number {
  return (
    EXERCISED_KINDS.indexOf(left.kind) - EXERCISED_KINDS.indexOf(right.kind) ||
    IN_ORDER.compare(left.model ?? '', right.model ?? '') ||
    IN_ORDER.compare(left.line, right.line)
  );
}
