import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GatewayClient } from '../../client/gateway-client.ts';
import type { ReadResult } from '../../client/read-result.ts';
import { collectBook } from '../../collect/collect-book.ts';
import { type SecondsNow, UsageStore, wallSeconds } from '../../collect/usage-store.ts';
import { describeFailure, maskedWords } from '../../collect/walk-pages.ts';
import type { ResolvedBilling } from '../../config/resolve-billing.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { ModelList } from '../../contracts/interface.ts';
import type { PlanTarget } from '../../contracts/plan.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import { type ResolvedPlan, resolvePlan } from '../../plan/resolve-plan.ts';
import { newNonce } from '../../plan/run-id.ts';
import type { BookArchive } from '../../pricebook/archive/archive-index.ts';
import { applyAgreed } from '../../pricebook/charge/apply-agreed.ts';
import { readPriceBook } from '../../pricebook/read/read-price-book.ts';
import { keepMapping, keepOwnBook } from './given-book.ts';
import { targetFailure } from './target-failure.ts';
import type { WeighedTarget } from './weighed-target.ts';

/** What must be known before a plan can be made: the models of the key and the price book, archived as served. */
export interface Offer {
  /** Null where the target lists none. */
  readonly models: readonly string[] | null;
  /** Null where no adapter reads the book in full. */
  readonly book: PriceBook | null;
  readonly bookProblems: readonly string[];
}

export async function readOffer(
  weighed: Pick<WeighedTarget, 'client'>,
  runDir: string,
  { book: source, terms }: ResolvedBilling,
  archive?: BookArchive,
): Promise<Offer> {
  const { client } = weighed;
  const models = await collectModels({ client, dir: runDir, sweep: 0 });
  if (!models.ok && !NO_ENDPOINT.includes(models.status)) throw targetFailure('GET /v1/models', models);
  const listed = models.ok ? models.body.data.map(({ id }) => id) : null;
  const mapping = source.mapping === null ? null : keepMapping(runDir, source.mapping);
  const own = source.file === null ? null : keepOwnBook(runDir, source.file);
  const book = await collectBook({ client, dir: runDir, sweep: 0, archive });
  if (own === null && !book.ok) {
    if (book.status === null) throw targetFailure('GET /pricing.usd.json', book);
    return { models: listed, book: null, bookProblems: [`GET /pricing.usd.json: ${book.message}`] };
  }
  const bytes = own ?? (book.ok ? book.bytes : new Uint8Array());
  const reading = readPriceBook(bytes, { adapter: source.adapter, mapping });
  return 'unreadable' in reading
    ? { models: listed, book: null, bookProblems: reading.unreadable }
    : {
        models: listed,
        book: applyAgreed(reading.book, terms.agreed, terms.group),
        bookProblems: [],
      };
}

/** The models that are listed, or priced where none are listed. */
export function offeredModels({ models, book }: Pick<Offer, 'models' | 'book'>): readonly string[] {
  return models ?? book?.models.map(({ model }) => model) ?? [];
}

/** Plans the calls of a configuration by what the target offers. Throws as `resolvePlan`. */
export function planOffered(
  config: ResolvedConfig,
  target: PlanTarget,
  { book, models: listedModels }: Offer,
  run: Pick<Parameters<typeof resolvePlan>[0], 'runId' | 'now' | 'cap'>,
): ResolvedPlan {
  return resolvePlan({ config, target, book, listedModels, nonce: newNonce(), ...run });
}

/** The same as `readOffer`, for a command that keeps nothing of it. */
export async function readOfferOnce(client: GatewayClient, billing: ResolvedBilling): Promise<Offer> {
  const scratch = mkdtempSync(join(tmpdir(), 'weighbridge-offer-'));
  try {
    return await readOffer({ client }, scratch, billing);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** With these a target says that it has no such endpoint. */
const NO_ENDPOINT: readonly (number | null)[] = [404, 405, 501];
const WINDOW_S = 3_600;

/**
 * Reads one usage record. Throws `no_bill` (exit 2) where the target has none to read. Whatever else keeps a record from
 * being read now may have passed when the calls are made.
 */
export async function needBill(
  client: Pick<GatewayClient, 'usageRequests'>,
): ReturnType<GatewayClient['usageRequests']> {
  const end = Math.floor(Date.now() / 1000) + 1;
  const read = await client.usageRequests({
    window: { start: end - WINDOW_S, end },
    limit: 1,
    before: null,
  });
  if (read.ok || !NO_ENDPOINT.includes(read.status)) return read;
  throw new WeighbridgeError({
    code: 'no_bill',
    message: `GET /v1/usage/requests: expected the usage records that an audit judges, found HTTP ${read.status}: ${read.message}; nothing was sent that is paid`,
    hint: 'weighbridge run drives the same load and measures it without a bill; if the target has one, check its address (--target takes the root, /v1 or /api form)',
  });
}

/** Reads the model list, with the key or as the public catalogue, and notes the read. */
export async function collectModels(request: {
  readonly client: GatewayClient;
  readonly dir: string;
  readonly sweep: number;
  /** True by default. */
  readonly withKey?: boolean | undefined;
  readonly secondsNow?: SecondsNow | undefined;
}): Promise<ReadResult<ModelList>> {
  const store = new UsageStore(request.dir, request.sweep, request.secondsNow ?? wallSeconds);
  const result = await request.client.models(request.withKey ?? true);
  if (result.ok) {
    const { status, sha256 } = result;
    store.read({
      read: 'models',
      status,
      sha256,
      count: result.body.data.length,
      answer_request_id: result.requestId,
      reasons: maskedWords(result),
    });
  } else {
    store.read({
      read: 'models',
      status: result.status,
      answer_request_id: result.requestId,
      reasons: [`models_failed: ${describeFailure(result)}`],
    });
  }
  store.close();
  return result;
}
