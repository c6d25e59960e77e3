import * as z from 'zod';
import { difference, spreadOf } from '../engine/statistics.ts';
import type { TrueCall } from './mocked-gateway.ts';
import { type Quantiles, quantilesOf, type Told } from './peer.ts';

const figure = z.number().nullable();
const quantiles = z.strictObject({ p50: figure, p99: figure });

const measuredSchema = z.strictObject({
  name: z.string(),
  version: z.string(),
  /** As it was run, but for addresses, keys and folders. */
  command: z.string(),
  /** Calls that reached the gateway, and those that the tool calls good. */
  calls: z.number(),
  completed: z.number(),
  cpu_s_per_1000: z.number(),
  peak_mb: z.number(),
  /** CPU seconds that neither the tool, the gateway nor the bench used meanwhile: how noisy the machine was. */
  other_cpu_s: figure.default(null),
  /** What the tool says less what the gateway's journal says at the same quantile, ms; null where it does not tell. */
  ttft_error_ms: quantiles,
  e2e_error_ms: quantiles,
  true_ttft_ms: quantiles,
  true_e2e_ms: quantiles,
});
export type PeerFigures = z.infer<typeof measuredSchema>;

const missingSchema = z.strictObject({ name: z.string(), missing: z.string() });
export type MissingPeer = z.infer<typeof missingSchema>;

export const peerResultsSchema = z.strictObject({
  started: z.string(),
  rounds: z.number(),
  machine: z.string(),
  load: z.strictObject({ per_s: z.number(), seconds: z.number(), max_tokens: z.number() }),
  latency: z.string(),
  peers: z.array(z.union([measuredSchema, missingSchema])),
});
export type PeerResults = z.infer<typeof peerResultsSchema>;

/** What happened, at the quantiles that tools tell. */
export function truthOf(calls: readonly TrueCall[]): {
  readonly ttft: Quantiles;
  readonly e2e: Quantiles;
} {
  return {
    ttft: quantilesOf(calls.flatMap(({ first_token_ms }) => first_token_ms ?? [])),
    e2e: quantilesOf(calls.map(({ end_ms }) => end_ms)),
  };
}

export function errorsOf(told: Pick<Told, 'ttft' | 'e2e'>, truth: Pick<Told, 'ttft' | 'e2e'>) {
  const error = (of: 'ttft' | 'e2e'): Quantiles => ({
    p50: hundredths(difference(told[of].p50, truth[of].p50)),
    p99: hundredths(difference(told[of].p99, truth[of].p99)),
  });
  return { ttft_error_ms: error('ttft'), e2e_error_ms: error('e2e') };
}

export function roundedOf({ p50, p99 }: Quantiles): Quantiles {
  return { p50: hundredths(p50), p99: hundredths(p99) };
}

/** The middle of each figure over the rounds; the reason where the tool failed in one of them. */
export function middleOf(rounds: readonly (PeerFigures | MissingPeer)[]): PeerFigures | MissingPeer {
  const missing = rounds.find((round) => 'missing' in round);
  const all = rounds.flatMap((round) => ('missing' in round ? [] : [round]));
  const [first] = all;
  if (first === undefined || missing !== undefined)
    return missing ?? { name: 'unknown', missing: 'it was not run' };
  const middle = (of: (figures: PeerFigures) => number | null) => spreadOf(all.map(of))?.median ?? null;
  const pair = (of: (figures: PeerFigures) => Quantiles) =>
    roundedOf({ p50: middle((each) => of(each).p50), p99: middle((each) => of(each).p99) });
  return {
    ...first,
    calls: middle((each) => each.calls) ?? first.calls,
    completed: middle((each) => each.completed) ?? first.completed,
    cpu_s_per_1000: hundredths(middle((each) => each.cpu_s_per_1000)) ?? first.cpu_s_per_1000,
    peak_mb: middle((each) => each.peak_mb) ?? first.peak_mb,
    other_cpu_s: hundredths(middle((each) => each.other_cpu_s)),
    ttft_error_ms: pair((each) => each.ttft_error_ms),
    e2e_error_ms: pair((each) => each.e2e_error_ms),
    true_ttft_ms: pair((each) => each.true_ttft_ms),
    true_e2e_ms: pair((each) => each.true_e2e_ms),
  };
}

function hundredths(value: number | null): number | null {
  return value === null ? null : Math.round(value * 100) / 100;
}
