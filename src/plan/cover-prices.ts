import type { PriceBook } from '../contracts/price-book.ts';
import { formatAmount, type PicoUsd, parseAmount } from '../core/amount.ts';
import { BYTES_PER_TOKEN_HUNDREDTHS } from '../core/prompt-text.ts';
import { contextOf } from '../pricebook/charge/charge-context.ts';
import { spanOf } from '../pricebook/charge/charge-facts.ts';
import { evaluateCharge } from '../pricebook/charge/evaluate-charge.ts';
import { entriesOf } from '../pricebook/charge/match-model.ts';
import { priceBounds } from '../pricebook/charge/price-bounds.ts';
import {
  type CoverCall,
  type CoverCandidate,
  coverOptions,
  lineKey,
  type NotCoverable,
} from './cover-prices-candidates.ts';

/** The calls that go over every price line of a book once, at the least cost found. Amounts are USD decimal strings. */
export interface PriceCover {
  readonly calls: readonly PlannedCover[];
  /** What they cost by the book at exactly these units. */
  readonly usd: string;
  /** The most that they can cost: answers as long as the model can make them. Null where the book bounds one of them not. */
  readonly worst_case_usd: string | null;
  /** Lines that they go over, of all that the models of the key have. */
  readonly lines: { readonly covered: number; readonly of: number };
  readonly not_covered: readonly NotCoverable[];
}

interface PlannedCover {
  readonly model: string;
  readonly kind: CoverCall['kind'];
  readonly ask: string;
  readonly usd: string;
  readonly worst_case_usd: string | null;
  /** Lines that no call before it goes over. */
  readonly covers: readonly string[];
}

interface PricedCandidate {
  readonly candidate: CoverCandidate;
  readonly costs: readonly PicoUsd[];
  readonly cost: PicoUsd;
}

/** Bytes that a gateway's template may add to a prompt, as the reserve of a call counts them. */
const TEMPLATE_BYTES = 1_024n;

/**
 * Greedy set cover over the price lines and tier edges of each model: always the calls that go over most new lines for
 * their cost, then without those that the later ones made needless.
 */
export function coverPrices(book: PriceBook, models: readonly string[]): PriceCover {
  const options = [...new Set(models)].sort().map((model) => ({
    model,
    known: entriesOf(book, model).length > 0,
    ...coverOptions(book, model),
  }));
  const chosen = options.flatMap((each) => {
    const priced = each.candidates.flatMap((candidate) => pricedCandidate(book, candidate));
    return withoutNeedless(greedy(new Set(each.lines.map(lineKey)), priced));
  });
  const lines = options.flatMap((each) => each.lines);
  const seen = new Set<string>();
  const calls = chosen.flatMap(({ candidate, costs }) => {
    const fresh = [...candidate.covers].filter((key) => !seen.has(key));
    for (const key of fresh) seen.add(key);
    return candidate.calls.map((call, index): PlannedCover => {
      const worst = worstCase(book, call);
      return {
        model: call.model,
        kind: call.kind,
        ask: call.ask,
        usd: formatAmount(costs[index] ?? 0n),
        worst_case_usd: worst === null ? null : formatAmount(worst),
        covers: index === candidate.calls.length - 1 ? namesOf(fresh, lines) : [],
      };
    });
  });
  const uncovered = lines.filter((line) => !seen.has(lineKey(line)));
  const worst = calls.map(({ worst_case_usd: usd }) => parseAmount(usd));
  const known = worst.filter((each) => each !== null);
  return {
    calls,
    usd: formatAmount(chosen.reduce((total, { cost }) => total + cost, 0n)),
    worst_case_usd: known.length < worst.length ? null : formatAmount(known.reduce((a, b) => a + b, 0n)),
    lines: {
      covered: lines.length - uncovered.length,
      of: lines.length + options.reduce((total, { impossible }) => total + impossible.length, 0),
    },
    not_covered: [
      ...options.flatMap(({ impossible }) => impossible),
      ...uncovered.map(({ model, line }) => ({
        model,
        line,
        why: 'no call that the book prices goes over it',
      })),
      ...options
        .filter(({ known: priced }) => !priced)
        .map(({ model }) => ({ model, line: 'all', why: 'the book has no price of this model' })),
    ],
  };
}

/** Without a price there is no call: its lines are told as not covered. */
function pricedCandidate(book: PriceBook, candidate: CoverCandidate): readonly PricedCandidate[] {
  const charges = candidate.calls.map(({ model, kind, facts }) =>
    evaluateCharge(book, facts, contextOf(model, kind)),
  );
  const costs = charges.flatMap((charge) => ('unpriced' in charge ? [] : [charge.hi]));
  if (costs.length < charges.length) return [];
  return [{ candidate, costs, cost: costs.reduce((total, cost) => total + cost, 0n) }];
}

function greedy(lines: ReadonlySet<string>, all: readonly PricedCandidate[]): readonly PricedCandidate[] {
  const open = new Set(lines);
  const chosen: PricedCandidate[] = [];
  while (open.size > 0) {
    let best: PricedCandidate | null = null;
    let gain = 0n;
    for (const each of all) {
      const fresh = BigInt([...each.candidate.covers].filter((key) => open.has(key)).length);
      if (fresh === 0n) continue;
      // Lines a USD, compared without a division; of equals the first.
      if (best === null || fresh * best.cost > gain * each.cost) {
        best = each;
        gain = fresh;
      }
    }
    if (best === null) return chosen;
    for (const key of best.candidate.covers) open.delete(key);
    chosen.push(best);
  }
  return chosen;
}

function withoutNeedless(chosen: readonly PricedCandidate[]): readonly PricedCandidate[] {
  let left = chosen;
  for (const each of [...chosen].sort((one, other) => (one.cost > other.cost ? -1 : 1))) {
    const others = left.filter((other) => other !== each);
    const covered = new Set(others.flatMap(({ candidate }) => [...candidate.covers]));
    if ([...each.candidate.covers].every((key) => covered.has(key))) left = others;
  }
  return left;
}

function namesOf(
  keys: readonly string[],
  lines: readonly { readonly model: string; readonly line: string }[],
): readonly string[] {
  const wanted = new Set(keys);
  return lines.filter((line) => wanted.has(lineKey(line))).map(({ line }) => line);
}

/** The reserve of the call; null where the book does not bound it. */
function worstCase(book: PriceBook, { model, kind, facts }: CoverCall): PicoUsd | null {
  const { size, quality, resolution } = facts;
  const bound = priceBounds(book, model, kind, {
    images: 1,
    seconds: 1,
    ...(size === null ? {} : { size }),
    ...(quality === null ? {} : { quality }),
    ...(resolution === null ? {} : { resolution }),
  });
  if (bound === null) return null;
  const tokens = spanOf(facts.input)?.hi ?? null;
  const bytes = tokens === null ? 0n : (tokens * BigInt(BYTES_PER_TOKEN_HUNDREDTHS)) / 100n + TEMPLATE_BYTES;
  return (
    BigInt(bound.per_input_token) * bytes +
    BigInt(bound.per_output_token) * BigInt(bound.max_output_tokens) +
    BigInt(bound.fixed)
  );
}

/** The cover for a reader: each call with its cost and what it goes over, the sums, and what stays out. */
export function coverLines(cover: PriceCover, cap: string | null): readonly string[] {
  const { calls, usd, worst_case_usd: worst, lines, not_covered } = cover;
  return [
    ...calls.flatMap((call) => [
      `${call.kind} ${call.model}: ${call.ask}: ${priceText(call.usd, call.worst_case_usd)}`,
      ...(call.covers.length === 0 ? [] : [`  goes over ${call.covers.join(', ')}`]),
    ]),
    `total: ${calls.length} calls over ${lines.covered} of ${lines.of} price lines and tier edges, ${priceText(usd, worst)}`,
    capText(worst, cap),
    ...not_covered.map(({ model, line, why }) => `not covered: ${model} ${line}: ${why}`),
  ];
}

function priceText(usd: string, worst: string | null): string {
  return `$${usd}, worst case ${worst === null ? 'not bounded by the book' : `$${worst}`}`;
}

function capText(worst: string | null, cap: string | null): string {
  if (cap === null) return 'cap: none is set; --max-spend-usd would have to hold the worst case';
  const [most, held] = [worst, cap].map((text) => parseAmount(text));
  if (most == null || held == null) return `cap $${cap}: it cannot be said to hold all calls`;
  return held >= most
    ? `cap $${cap}: holds the worst case of all of them`
    : `cap $${cap}: below the worst case, so that it may keep calls from being sent`;
}
