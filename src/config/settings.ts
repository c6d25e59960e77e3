import * as z from 'zod';
import { DIALECT_SETTINGS } from '../contracts/dialect.ts';
import { positiveDuration } from './duration.ts';
import { share } from './key-schemas.ts';
import { readSetting } from './layers.ts';
import { moneySetting } from './money-text.ts';
import type { Problem } from './problem.ts';
import { rateScale } from './rate.ts';
import { targetUrl } from './target-bases.ts';

/** Text of the flags that override the configuration, as typed. */
export interface ConfigFlags {
  readonly target?: string;
  readonly maxSpendUsd?: string;
  readonly duration?: string;
  readonly rateScale?: string;
  readonly seed?: string;
  readonly nonce?: string;
  readonly keepCredit?: string;
  readonly dialect?: string;
}

/** Flags that may be given again and again, as typed. */
export interface RequestFlags {
  /** Members of the request body. */
  readonly extra?: readonly string[];
  /** `Name: value`. */
  readonly header?: readonly string[];
  /** `ttft_p95=800ms`. */
  readonly objective?: readonly string[];
}

export const SETTING_KEYS = [
  'target',
  'maxSpendUsd',
  'duration',
  'rateScale',
  'seed',
  'nonce',
  'keepCredit',
  'dialect',
] as const;

/** Environment variables that stand for the same flags. */
export const SETTING_ENV: Readonly<Record<keyof ConfigFlags, string>> = {
  target: 'WEIGHBRIDGE_TARGET',
  maxSpendUsd: 'WEIGHBRIDGE_MAX_SPEND_USD',
  duration: 'WEIGHBRIDGE_DURATION',
  rateScale: 'WEIGHBRIDGE_RATE_SCALE',
  seed: 'WEIGHBRIDGE_SEED',
  nonce: 'WEIGHBRIDGE_NONCE',
  keepCredit: 'WEIGHBRIDGE_KEEP_CREDIT',
  dialect: 'WEIGHBRIDGE_DIALECT',
};

const RULES = {
  target: targetUrl,
  maxSpendUsd: moneySetting,
  // A number alone is seconds, as other tools take it.
  duration: z.preprocess(
    (text) => (typeof text === 'string' && /^\d{1,8}$/.test(text) ? `${text}s` : text),
    positiveDuration,
  ),
  rateScale,
  seed: z
    .string()
    .regex(/^\d{1,15}$/, { error: 'must be a whole number from 0 with at most 15 digits' })
    .transform(Number),
  nonce: z.string().regex(/^[0-9a-zA-Z_-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, "_" or "-"' }),
  keepCredit: z
    .string()
    .regex(/^\d+(\.\d+)?$/, { error: 'must be a share from 0 to 1, such as 0.8' })
    .transform(Number)
    .pipe(share),
  dialect: z.enum(DIALECT_SETTINGS),
};

export type Settings = { readonly [K in keyof typeof RULES]: z.infer<(typeof RULES)[K]> | undefined };

/** Reads the overrides of one layer; `nameOf` names each in an error. */
export function readSettings(
  texts: Readonly<Partial<Record<keyof ConfigFlags, string | undefined>>>,
  nameOf: (key: keyof ConfigFlags) => string,
  problems: Problem[],
): Settings {
  return {
    target: readSetting(nameOf('target'), texts.target, RULES.target, problems),
    maxSpendUsd: readSetting(nameOf('maxSpendUsd'), texts.maxSpendUsd, RULES.maxSpendUsd, problems),
    duration: readSetting(nameOf('duration'), texts.duration, RULES.duration, problems),
    rateScale: readSetting(nameOf('rateScale'), texts.rateScale, RULES.rateScale, problems),
    seed: readSetting(nameOf('seed'), texts.seed, RULES.seed, problems),
    nonce: readSetting(nameOf('nonce'), texts.nonce, RULES.nonce, problems),
    keepCredit: readSetting(nameOf('keepCredit'), texts.keepCredit, RULES.keepCredit, problems),
    dialect: readSetting(nameOf('dialect'), texts.dialect, RULES.dialect, problems),
  };
}

/** `maxSpendUsd` → `--max-spend-usd`. */
export function flagName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
