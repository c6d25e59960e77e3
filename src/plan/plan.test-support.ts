import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_PLAN_FILE, loadConfig } from '../config/load-config.ts';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { ConfigFlags } from '../config/settings.ts';
import { PRICE_BOOK_SCHEMA, type PriceBook } from '../core/price-book.ts';
import { embeddedTarget, planTarget } from './plan-target.ts';
import { type PlanRequest, type ResolvedPlan, resolvePlan } from './resolve-plan.ts';

/** Two text models, images by quality and videos by resolution; one model is priced and not listed. */
export const book: PriceBook = {
  schema: PRICE_BOOK_SCHEMA,
  pricebook_id: 'pb',
  pricing_version: 'v',
  currency: 'USD',
  source: { kind: 'test', sha256: '' },
  rounding: { quantum: '0.000001', mode: 'half_up' },
  usage_semantics: { input_includes_cache: 'yes' },
  models: [
    text('dear', '3', '15', null),
    text('cheap', '0.1', '0.4', 8_192),
    text('unlisted', '0.01', '0.01', null),
    {
      model: 'pictures',
      kind: 'image',
      max_output_tokens: null,
      components: [
        { meter: 'image', price: '0.02', per: '1', quality: 'low' },
        { meter: 'image', price: '0.05', per: '1', quality: 'medium' },
        { meter: 'image', price: '0.20', per: '1', quality: 'high' },
      ],
    },
    {
      model: 'films',
      kind: 'video',
      max_output_tokens: null,
      components: [
        { meter: 'video_second', price: '0.10', per: '1', resolution: '720p' },
        { meter: 'video_second', price: '0.30', per: '1', resolution: '1080p' },
      ],
    },
  ],
  adjustments: [],
};
export const listed = ['dear', 'cheap', 'pictures', 'films', 'free of price'];

function text(model: string, input: string, output: string, max: number | null): PriceBook['models'][number] {
  return {
    model,
    kind: 'text',
    max_output_tokens: max,
    components: [
      { meter: 'input_token', price: input, per: '1000000' },
      { meter: 'output_token', price: output, per: '1000000' },
    ],
  };
}

/** The configuration of a text without its version, or the default plan. */
export function configOf(yaml: string | null, flags: ConfigFlags = {}): ResolvedConfig {
  if (yaml === null) return loadConfig({ file: DEFAULT_PLAN_FILE, env: {}, flags });
  const dir = mkdtempSync(join(tmpdir(), 'wb-plan-'));
  try {
    const file = join(dir, 'weighbridge.yaml');
    writeFileSync(file, `version: 1\n${yaml}`);
    return loadConfig({ file, env: {}, flags });
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** Its plan, on the embedded gateway where no target is named. */
export function resolve(
  yaml: string | null,
  flags: ConfigFlags = {},
  more: Partial<PlanRequest> = {},
): ResolvedPlan {
  const config = configOf(yaml, flags);
  return resolvePlan({
    config,
    target: planTarget(config.target) ?? embeddedTarget('http://127.0.0.1:4000'),
    book,
    listedModels: listed,
    runId: '20261120T000000Z-abcd',
    nonce: 'n',
    now: Date.UTC(2026, 10, 20),
    ...more,
  });
}

export const REMOTE = { target: 'https://gateway.example/v1', maxSpendUsd: '2.00' };
export const LOCAL = { target: 'http://127.0.0.1:8080', maxSpendUsd: '2.00' };
export const CHAT = 'traffic: [{kind: chat, rate: 1/s, max_in_flight: 5}]';
