import { placesBefore, withoutEscapes } from './escape-layers.ts';
import { MOST_ESCAPE_LAYERS } from './secret-forms.ts';
import { type FoundSpan, Reading, SecretSearch } from './secret-search.ts';

/** Takes secrets out of what a target wrote. Of our own words it must be kept away: they are no secrets, whatever the key. */
export class SecretMask {
  readonly #mask: string;
  readonly #secrets: readonly SecretSearch[];

  constructor(secrets: Iterable<string>, mask: string) {
    this.#mask = mask;
    this.#secrets = [...new Set(secrets)]
      .filter((secret) => secret !== '')
      .map((one) => new SecretSearch(one));
  }

  /** A sentence of the target without them, such as the message of an error. */
  prose(text: string): string {
    return this.#masked(text, true);
  }

  /** A name, a code, an id or a whole document without them: a short secret without the prefix stays, it may be a word. */
  name(text: string): string {
    return this.#masked(text, false);
  }

  #masked(text: string, isProse: boolean): string {
    const spans = this.#secrets
      .filter((secret) => secret.isShort && (isProse || !secret.isWord))
      .flatMap((secret) => [...secret.words(text)]);
    const long = this.#secrets.filter((secret) => !secret.isShort);
    const found = long.length === 0 ? spans : spans.concat(spansOf(long, layersOf(text)));
    return replaced(text, found, this.#mask);
  }
}

/** The text, then without one layer of escapes, and so on to the last. */
function layersOf(text: string): Reading[] {
  const layers = [new Reading(text)];
  for (let inner = withoutEscapes(text); layers.at(-1)?.text !== inner; inner = withoutEscapes(inner)) {
    if (layers.length > MOST_ESCAPE_LAYERS) break;
    layers.push(new Reading(inner));
  }
  return layers;
}

/** Spans of the outermost layer. */
function spansOf(secrets: readonly SecretSearch[], layers: readonly Reading[]): FoundSpan[] {
  return layers.reduceRight<FoundSpan[]>((inner, layer) => {
    const spans = inner.length === 0 ? inner : spansBefore(layer.text, inner);
    for (const secret of secrets) {
      if (secret.isIn(layer)) for (const span of secret.spans(layer)) spans.push(span);
      const start = secret.beginning(layer);
      if (start !== null) spans.push({ start, end: Number.POSITIVE_INFINITY });
    }
    return spans;
  }, []);
}

function spansBefore(text: string, spans: readonly FoundSpan[]): FoundSpan[] {
  const ends = spans.flatMap(({ start, end }) => [start, end]);
  const places = [...new Set(ends)].filter(Number.isFinite).sort((a, b) => a - b);
  const before = placesBefore(text, places);
  const placeOf = new Map(places.map((place, index) => [place, before[index] ?? place]));
  return spans.map(({ start, end }) => ({
    start: placeOf.get(start) ?? start,
    end: placeOf.get(end) ?? end,
  }));
}

/** Spans that overlap are one. */
function replaced(text: string, spans: FoundSpan[], mask: string): string {
  if (spans.length === 0) return text;
  let [clean, from, start, end] = ['', 0, -1, -1];
  const close = (): void => {
    if (start < 0) return;
    clean += text.slice(from, start) + mask;
    from = end;
  };
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    if (start >= 0 && span.start < end) end = Math.max(end, span.end);
    else {
      close();
      [start, end] = [span.start, span.end];
    }
  }
  close();
  return clean + text.slice(from);
}
