import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LineFlags } from '../config/line-traffic.ts';
import { DEFAULT_PLAN_FILE, loadConfig } from '../config/load-config.ts';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { ConfigFlags, RequestFlags } from '../config/settings.ts';
import type { ModelPrice, PriceBook } from '../contracts/price-book.ts';
import { DEFAULT_ROUNDING, plainModel } from '../pricebook/adapters/plain-model.ts';
import { bookOf, modelOf } from '../pricebook/price-book.test-support.ts';
import { embeddedTarget, planTarget } from './plan-target.ts';
import { type PlanRequest, type ResolvedPlan, resolvePlan } from './resolve-plan.ts';

/** Two text models, images by quality and videos by resolution; one model is priced and not listed. */
export const book: PriceBook = bookOf(
  [
    text('dear', '3', '15', null),
    text('cheap', '0.1', '0.4', 8_192),
    text('unlisted', '0.01', '0.01', null),
    plainModel('pictures', 'image', [
      { meter: 'image', price: '0.02', per: '1', quality: 'low' },
      { meter: 'image', price: '0.05', per: '1', quality: 'medium' },
      { meter: 'image', price: '0.20', per: '1', quality: 'high' },
    ]),
    plainModel('films', 'video', [
      { meter: 'video_second', price: '0.10', per: '1', resolution: '720p' },
      { meter: 'video_second', price: '0.30', per: '1', resolution: '1080p' },
    ]),
  ],
  { pricing_version: 'v', rounding: { ...DEFAULT_ROUNDING, quantum: '0.000001' } },
);
const listed = ['dear', 'cheap', 'pictures', 'films', 'free of price'];

function text(model: string, input: string, output: string, max: number | null): ModelPrice {
  return modelOf({ input_token: input, output_token: output }, { model, max_output_tokens: max });
}

/** The configuration of a text without its version, or the default plan. */
export function configOf(
  yaml: string | null,
  flags: ConfigFlags & RequestFlags & LineFlags = {},
): ResolvedConfig {
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
  flags: ConfigFlags & RequestFlags & LineFlags = {},
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
