import type { ModelPrice, PriceBook } from '../contracts/price-book.ts';
import { PAID_KINDS, type PaidKind } from '../core/call-kind.ts';
import { type ChargeFacts, NO_FACTS } from '../pricebook/charge/charge-facts.ts';
import { entriesOf, pricesEndpoint } from '../pricebook/charge/match-model.ts';
import { matchingComponents } from '../pricebook/charge/option-components.ts';
import { type PriceLine, priceLines } from '../pricebook/charge/price-lines.ts';
import { tierPrices } from '../pricebook/charge/tier-prices.ts';

/** One call to make, with the units that it is meant to be charged for. */
export interface CoverCall {
  readonly model: string;
  readonly kind: PaidKind;
  /** What to ask for, in words. */
  readonly ask: string;
  readonly facts: ChargeFacts;
}

/** Calls that belong together, and the lines that they go over. */
export interface CoverCandidate {
  readonly calls: readonly CoverCall[];
  /** `lineKey` of each. */
  readonly covers: ReadonlySet<string>;
}

/** A line that no call of a plan can be made to go over. */
export interface NotCoverable {
  readonly model: string;
  readonly line: string;
  readonly why: string;
}

/** The smallest prompt has 20 bytes; a token is a byte at least. */
const LEAST_INPUT = 20n;
/** Caches commonly hold no shorter beginning of a prompt. */
const LEAST_CACHED = 1_024n;
const QUALITIES: readonly string[] = ['auto', 'low', 'medium', 'high'];
const SIZE_OF_RESOLUTION: ReadonlyMap<string, string> = new Map([
  ['480p', '854x480'],
  ['720p', '1280x720'],
  ['1080p', '1920x1080'],
  ['2160p', '3840x2160'],
]);
const SIZE = /^(auto|\d{2,5}x\d{2,5})$/;

export function lineKey({ model, line }: { readonly model: string; readonly line: string }): string {
  return JSON.stringify([model, line]);
}

/** All that the book prices for a model, and the calls of a plan that can go over it. */
export function coverOptions(book: PriceBook, model: string) {
  const lines = priceLines(book, model);
  const impossible = lines.flatMap((line) => {
    const why = whyNot(line);
    return why === null ? [] : [{ model, line: line.line, why }];
  });
  const possible = lines.filter((line) => whyNot(line) === null);
  const candidates = entriesOf(book, model).flatMap((entry) => {
    const own = possible.filter((line) => line.entry === entry);
    const kind = kindFor(entry);
    if (own.length === 0 || kind === null) return [];
    return entry.kind === 'text' ? textCandidates(own, entry, kind) : mediaCandidates(own, entry, kind);
  });
  const edges = entriesOf(book, model)
    .filter((entry) => isPlain(entry) && entry.tiers?.basis !== 'output')
    .flatMap(edgesOf);
  return {
    lines: [...possible, ...edges.map(({ line }) => ({ model, line }))].map(({ line }) => ({ model, line })),
    candidates,
    impossible,
  };
}

/** The kind of call that is cheapest to judge: the plainest that the entry prices. */
function kindFor(entry: ModelPrice): PaidKind | null {
  return PAID_KINDS.find((kind) => pricesEndpoint(entry, kind)) ?? null;
}

function isPlain({ when, time_of_day }: ModelPrice): boolean {
  return Object.keys(when).length === 0 && time_of_day === null;
}

/** Why no plan can ask for units of a price; null where one can. */
function whyNot({ entry, component, tier }: PriceLine): string | null {
  const condition = Object.keys(entry.when)[0];
  if (condition !== undefined) return `no plan can ask for a ${condition}`;
  if (entry.time_of_day !== null) return 'it holds at a time of day: make the calls then';
  if (tier.name !== null && entry.tiers?.basis === 'output') return 'the model decides how long an answer is';
  if (entry.tiers?.basis === 'cumulative_day' && tier.name !== null)
    return 'it depends on what was used all day';
  switch (component.meter) {
    case 'reasoning_token':
      return 'the model decides whether it reasons';
    case 'tool_call':
      return 'no plan can ask for a tool of the target';
    case 'cache_write_token':
      return component.ttl === '1h' ? 'no plan can ask for a cache entry that lives an hour' : null;
    case 'image_input_token':
    case 'image_output_token':
    case 'audio_input_token':
    case 'audio_output_token':
    case 'character':
    case 'page':
      return `no call of a plan has units of ${component.meter}`;
    case 'image':
      if (component.quality !== undefined && !QUALITIES.includes(component.quality)) {
        return `no plan can ask for quality ${component.quality}`;
      }
      return component.size === undefined || SIZE.test(component.size)
        ? null
        : `no plan can ask for size ${component.size}`;
    case 'video_second':
      if (component.audio !== undefined) return 'no plan can ask for sound';
      return component.resolution === undefined || sizeOf(component.resolution) !== null
        ? null
        : `no plan can ask for resolution ${component.resolution}`;
    default:
      return null;
  }
}

function sizeOf(resolution: string): string | null {
  return SIZE.test(resolution) ? resolution : (SIZE_OF_RESOLUTION.get(resolution) ?? null);
}

/** The last size below each threshold and the first beyond it, which a prompt can be made to have. */
function edgesOf({ tiers }: ModelPrice): readonly { readonly line: string; readonly size: bigint }[] {
  if (tiers === null || tiers.basis === 'cumulative_day') return [];
  const { basis, inclusive, thresholds } = tiers;
  return thresholds
    .map(({ above }) => BigInt(above) - (inclusive === 'ge' ? 1n : 0n))
    .flatMap((last) => [last, last + 1n])
    .map((size) => ({ line: `${basis} = ${size}`, size }));
}

function textCandidates(
  own: readonly PriceLine[],
  entry: ModelPrice,
  kind: PaidKind,
): readonly CoverCandidate[] {
  const { model } = own[0] ?? { model: '' };
  const edges = entry.tiers?.basis === 'output' ? [] : edgesOf(entry);
  const sizes = [LEAST_INPUT, LEAST_CACHED, ...edges.map(({ size }) => size)];
  return [...new Set(sizes)].flatMap((size) => {
    const edge = edges.filter((each) => each.size === size);
    const plain: CoverCall = {
      model,
      kind,
      ask: `a prompt of ${size} tokens, an answer of 1`,
      facts: textFacts(size, 0n, 0n),
    };
    const candidates = [candidate([plain], own, entry, edge)];
    if (size < LEAST_CACHED) return candidates;
    // What the first call leaves in the cache the second reads: whether it does, the target decides.
    const cached = (meter: string): boolean => own.some(({ component }) => component.meter === meter);
    const writes = cached('cache_write_token') ? size : 0n;
    if (writes === 0n && !cached('cache_read_token')) return candidates;
    const first = { ...plain, facts: textFacts(size, 0n, writes) };
    const again = {
      ...plain,
      ask: `the same prompt of ${size} tokens again, for the cache to read`,
      facts: textFacts(size, cached('cache_read_token') ? size : 0n, 0n),
    };
    return [...candidates, candidate([first, again], own, entry, edge)];
  });
}

function textFacts(input: bigint, cacheRead: bigint, cacheWrite: bigint): ChargeFacts {
  return {
    ...NO_FACTS,
    input,
    output: 1n,
    cache_read: cacheRead,
    cache_write: cacheWrite,
    cache_write_1h: 0n,
    reasoning: 0n,
    image_input: 0n,
    image_output: 0n,
    audio_input: 0n,
    audio_output: 0n,
    images: 0n,
    characters: 0n,
    pages: 0n,
    tools: {},
  };
}

function mediaCandidates(
  own: readonly PriceLine[],
  entry: ModelPrice,
  kind: PaidKind,
): readonly CoverCandidate[] {
  return own.flatMap(({ model, component }) => {
    const facts: ChargeFacts =
      entry.kind === 'video'
        ? { ...NO_FACTS, seconds: 1n, resolution: sizeOf(component.resolution ?? '720p'), tools: {} }
        : {
            ...NO_FACTS,
            images: 1n,
            size: component.size ?? '1024x1024',
            quality: component.quality ?? 'low',
            tools: {},
          };
    const ask =
      entry.kind === 'video'
        ? `1 second at ${facts.resolution}`
        : `1 image of ${facts.size}, quality ${facts.quality}`;
    return [candidate([{ model, kind, ask, facts }], own, entry, [])];
  });
}

function candidate(
  calls: readonly CoverCall[],
  own: readonly PriceLine[],
  entry: ModelPrice,
  edges: readonly { readonly line: string }[],
): CoverCandidate {
  const lines = calls.flatMap(({ facts }) => own.filter((line) => goesOver(line, entry, facts)));
  const { model } = calls[0] ?? { model: '' };
  return {
    calls,
    covers: new Set([...lines, ...edges.map(({ line }) => ({ model, line }))].map(lineKey)),
  };
}

function goesOver({ component }: PriceLine, entry: ModelPrice, facts: ChargeFacts): boolean {
  const size = facts.input === null || typeof facts.input !== 'bigint' ? 0n : facts.input;
  const reached = tierPrices(entry).filter(
    ({ from, to }) =>
      entry.tiers === null ||
      (size >= from && (entry.tiers.mode === 'graduated' || to === null || size <= to)),
  );
  const basis = entry.tiers?.basis;
  const tiers = basis === 'context_len' || basis === 'input' ? reached : tierPrices(entry).slice(0, 1);
  return tiers.some(({ components }) => {
    if (!components.includes(component)) return false;
    switch (component.meter) {
      case 'input_token':
        return plainInput(facts) > 0n;
      case 'cache_read_token':
        return facts.cache_read !== 0n && facts.cache_read !== null;
      case 'cache_write_token':
        return facts.cache_write !== 0n && facts.cache_write !== null;
      case 'image':
      case 'video_second': {
        const fitting = matchingComponents(components, component.meter, facts);
        return fitting.length === 1 && fitting[0] === component;
      }
      default:
        return true;
    }
  });
}

function plainInput({ input, cache_read, cache_write }: ChargeFacts): bigint {
  const [all, read, write] = [input, cache_read, cache_write].map((each) =>
    typeof each === 'bigint' ? each : 0n,
  );
  return (all ?? 0n) - (read ?? 0n) - (write ?? 0n);
}
