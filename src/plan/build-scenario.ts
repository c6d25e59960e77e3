import type { ResolvedText, ResolvedTraffic } from '../config/resolved-config.ts';
import type { Distribution, Range, Spread } from '../config/spread.ts';
import { SIZE_RANGES } from '../config/text-keys.ts';
import type { PromptFile, ScenarioPlan, SizeTable, TextShape } from '../contracts/plan.ts';
import { BYTES_PER_TOKEN_HUNDREDTHS } from '../core/prompt-text.ts';
import { canonicalJson } from '../text/canonical-json.ts';
import { MARKER_BYTES } from '../workload/call-plan.ts';
import { buildArrival } from './build-arrival.ts';

export interface ScenarioRequest {
  readonly traffic: ResolvedTraffic;
  readonly model: string;
  readonly durationMs: number;
  /** The file that `traffic` names, as it was read; null where it names none. */
  readonly prompts: PromptFile | null;
}

/** One scenario of the plan from one entry of the traffic and the model it calls. */
export function buildScenario({ traffic, model, durationMs, prompts }: ScenarioRequest): ScenarioPlan {
  const { name, kind, max_in_flight, text, image, video, abort, body } = traffic;
  return {
    name,
    kind,
    model,
    arrival: buildArrival(traffic, durationMs),
    max_in_flight,
    text:
      text === null
        ? null
        : { ...textShape(text, prompts), ...(kind === 'embedding' ? { max_tokens: 0 } : {}) },
    image,
    video,
    abort,
    ...(Object.keys(body).length === 0 ? {} : { body: canonicalJson(body) }),
  };
}

/** Without its watermark, which scenarios of one model share. */
function textShape(text: ResolvedText, prompts: PromptFile | null): TextShape {
  const { session, watermark_modulus: modulus } = text;
  return {
    stream_share: text.stream_share,
    prompt_bytes: prompts === null ? promptBytes(text.prompt_tokens) : MARKER_BYTES + prompts.max_bytes,
    max_tokens: sizeTable(text.max_tokens, SIZE_RANGES.max_tokens),
    ...(text.max_tokens_key ? { max_tokens_key: text.max_tokens_key } : {}),
    cached_share: text.cached_share,
    prompts,
    session:
      session === null
        ? null
        : {
            turns: sizeTable(session.turns, SIZE_RANGES.turns),
            think_ms: sizeTable(session.think_ms, SIZE_RANGES.think_ms),
          },
    watermark: modulus === null ? null : { modulus, of: 1, first: 0 },
  };
}

function promptBytes(tokens: ResolvedText['prompt_tokens']): SizeTable {
  return sizeTable(tokens, SIZE_RANGES.prompt_tokens, (size) =>
    Math.max(MARKER_BYTES + 1, Math.round((size * BYTES_PER_TOKEN_HUNDREDTHS) / 100)),
  );
}

/** Most entries of a table: of the rarest 0.05 % at each end no call is drawn. */
export const MOST_SIZES = 1_024;

/**
 * The equally likely whole numbers that stand for a distribution, ascending: its quantiles at (i + ½)/k. Those out
 * of the range become its nearer end. `scale` turns each into another unit.
 */
export function sizeTable(
  spread: Spread,
  { least, most }: Range,
  scale: (size: number) => number = (size) => size,
): SizeTable {
  const within = (size: number): number => scale(Math.min(most, Math.max(least, size)));
  if (typeof spread === 'number') return within(spread);
  const sizes = quantiles(spread).map(within);
  const [first = least] = sizes;
  return sizes.every((size) => size === first) ? first : sizes;
}

function quantiles(distribution: Distribution): number[] {
  if (distribution.distribution === 'uniform') {
    const { min, max } = distribution;
    const values = Math.floor(max) - Math.ceil(min) + 1;
    // Few values stand for themselves, so that each is exactly as likely as the next.
    const count = Math.max(1, Math.min(values, MOST_SIZES));
    return shares(count).map((share) => Math.ceil(min) + Math.floor(share * Math.max(1, values)));
  }
  const { min, max } = distribution;
  return shares(MOST_SIZES).map((share) => {
    const size = Math.round(quantile(distribution, inverseNormal(share)));
    return Math.min(max ?? size, Math.max(min ?? size, size));
  });
}

/** Of a lognormal distribution mean and deviation are given of the values, not of their logarithms. */
function quantile(
  { distribution, mean, stddev }: Exclude<Distribution, { distribution: 'uniform' }>,
  deviate: number,
): number {
  if (distribution === 'normal') return mean + stddev * deviate;
  const variance = Math.log(1 + (stddev / mean) ** 2);
  return Math.exp(Math.log(mean) - variance / 2 + Math.sqrt(variance) * deviate);
}

function shares(count: number): number[] {
  return Array.from({ length: count }, (_, index) => (index + 0.5) / count);
}

/**
 * The standard normal deviate below which a share `p` of the distribution lies, for p from 1e-10 to 1 − 1e-10.
 * Wichura's algorithm AS 241 (Applied Statistics 37, 1988), good to about 1 part in 10¹⁶.
 */
export function inverseNormal(p: number): number {
  const centred = p - 0.5;
  if (Math.abs(centred) <= 0.425) {
    const r = 0.180625 - centred * centred;
    return (centred * polynomial(CENTRE_TOP, r)) / polynomial(CENTRE_BOTTOM, r);
  }
  const r = Math.sqrt(-Math.log(Math.min(p, 1 - p))) - 1.6;
  const deviate = polynomial(TAIL_TOP, r) / polynomial(TAIL_BOTTOM, r);
  return centred < 0 ? -deviate : deviate;
}

const CENTRE_TOP = [
  3.387_132_872_796_366_5, 133.141_667_891_784_38, 1_971.590_950_306_551_3, 13_731.693_765_509_46,
  45_921.953_931_549_87, 67_265.770_927_008_7, 33_430.575_583_588_13, 2_509.080_928_730_122_7,
];
const CENTRE_BOTTOM = [
  1, 42.313_330_701_600_91, 687.187_007_492_057_9, 5_394.196_021_424_751, 21_213.794_301_586_597,
  39_307.895_800_092_71, 28_729.085_735_721_943, 5_226.495_278_852_854,
];
const TAIL_TOP = [
  1.423_437_110_749_683_7, 4.630_337_846_156_546, 5.769_497_221_460_691, 3.647_848_324_763_204_5,
  1.270_458_252_452_368_4, 0.241_780_725_177_450_6, 0.022_723_844_989_269_184, 0.000_774_545_014_278_341_4,
];
const TAIL_BOTTOM = [
  1, 2.053_191_626_637_759, 1.676_384_830_183_803_8, 0.689_767_334_985_1, 0.148_103_976_427_480_08,
  0.015_198_666_563_616_457, 0.000_547_593_808_499_534_5, 1.050_750_071_644_416_9e-9,
];

/** Coefficients from the constant upwards. */
function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
}
