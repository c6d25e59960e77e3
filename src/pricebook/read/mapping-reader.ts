import type { BookText } from '../adapters/book-text.ts';
import { isMapping, type UnmappedKeys } from '../adapters/unmapped-keys.ts';
import { joined, type PathHit, reach } from './mapping-path.ts';
import type { MappedPath } from './mapping-rules.ts';

/** Follows paths through one book, and knows which places no path reached. */
export class MappingReader {
  readonly #seen = new Set<string>();

  look(from: PathHit, path: MappedPath | undefined): readonly PathHit[] {
    if (path === undefined || path.key !== null) return [];
    const hits = reach(from.value, path.steps, from.shape);
    for (const { shape } of hits) this.#seen.add(shape);
    return hits;
  }

  /** The text at a path, or the key that it names; null where neither stands. */
  text(from: PathHit, path: MappedPath | undefined): string | null {
    if (path === undefined) return null;
    if (path.key !== null) return from.keys.at(path.key - 1) ?? null;
    const value = this.look(from, path)[0]?.value;
    return typeof value === 'string' ? value : null;
  }

  /** Everything below a path counts as seen. */
  ignore(from: PathHit, path: MappedPath): void {
    for (const { value, shape } of this.look(from, path)) this.#seeAll(value, shape);
  }

  #seeAll(value: BookText, shape: string): void {
    this.#seen.add(shape);
    if (Array.isArray(value)) for (const held of value) this.#seeAll(held, `${shape}[*]`);
    else if (isMapping(value)) {
      for (const [key, held] of Object.entries(value)) this.#seeAll(held, joined(shape, key));
    }
  }

  /** Walks the book; what lies on the way to something read is read through, all else is noted once. */
  noteUnread(root: PathHit, eaches: readonly MappedPath[], unmapped: UnmappedKeys): void {
    const ways = new Set<string>(['']);
    for (const shape of this.#seen) {
      for (let at = shape.length; at > 0; at -= 1) {
        if (shape[at] === '.' || shape[at] === '[' || at === shape.length) ways.add(shape.slice(0, at));
      }
    }
    const above = eaches.map(({ text }) => text.replace(/(\[\*\]|\.?\*)$/, ''));
    const visit = (value: BookText, shape: string, model: string | null): void => {
      if (this.#seen.has(shape) && typeof value !== 'object') return;
      if (!ways.has(shape)) {
        unmapped.note(shape, value, model);
        return;
      }
      const below = (key: string): string | null =>
        model ?? (above.some((each) => shape.startsWith(each)) ? key : null);
      if (Array.isArray(value)) {
        value.forEach((held, index) => {
          const item = `${shape}[${index}]`;
          visit(held, ways.has(item) ? item : `${shape}[*]`, below(String(index)));
        });
      } else if (isMapping(value)) {
        for (const [key, held] of Object.entries(value)) {
          const own = joined(shape, key);
          const any = joined(shape, '*');
          visit(held, ways.has(own) || !ways.has(any) ? own : any, below(key));
        }
      }
    };
    visit(root.value, '', null);
  }
}
