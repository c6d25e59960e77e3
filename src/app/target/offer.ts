import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GatewayClient } from '../../client/gateway-client.ts';
import type { ReadResult } from '../../client/read-result.ts';
import { collectBook } from '../../collect/collect-book.ts';
import { type SecondsNow, UsageStore, wallSeconds } from '../../collect/usage-store.ts';
import { describeFailure, maskedWords } from '../../collect/walk-pages.ts';
import type { ResolvedBilling } from '../../config/resolve-billing.ts';
import type { ModelList } from '../../contracts/interface.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import type { BookArchive } from '../../pricebook/archive/archive-index.ts';
import { applyAgreed } from '../../pricebook/charge/apply-agreed.ts';
import { readPriceBook } from '../../pricebook/read/read-price-book.ts';
import { NO_ENDPOINT } from './bill-read.ts';
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

async function readOffer(
  { client }: Pick<WeighedTarget, 'client'>,
  runDir: string,
  billing: ResolvedBilling,
  archive?: BookArchive,
): Promise<Offer> {
  const models = await collectModels({ client, dir: runDir, sweep: 0 });
  if (!models.ok && !NO_ENDPOINT.includes(models.status)) throw targetFailure('GET /v1/models', models);
  return {
    models: models.ok ? ids(models.body) : null,
    ...(await readPrices(client, runDir, billing, archive)),
  };
}

/** Reads the price book of the user, else that of the target. */
export async function readPrices(
  client: GatewayClient,
  runDir: string,
  { book: source, terms }: ResolvedBilling,
  archive?: BookArchive,
): Promise<Pick<Offer, 'book' | 'bookProblems'>> {
  const mapping = source.mapping === null ? null : keepMapping(runDir, source.mapping);
  const own = source.file === null ? null : keepOwnBook(runDir, source.file);
  const book = await collectBook({ client, dir: runDir, sweep: 0, archive });
  if (own === null && !book.ok) {
    if (book.status === null) throw targetFailure('GET /pricing.usd.json', book);
    const status = book.message.startsWith('HTTP ') ? '' : `HTTP ${book.status}: `;
    return {
      book: null,
      bookProblems: [`${book.read ?? 'GET /pricing.usd.json'}: ${status}${book.message}`],
    };
  }
  const bytes = own ?? (book.ok ? book.bytes : new Uint8Array());
  const reading = readPriceBook(bytes, { adapter: source.adapter, mapping });
  return 'unreadable' in reading
    ? { book: null, bookProblems: reading.unreadable }
    : { book: applyAgreed(reading.book, terms.agreed, terms.group), bookProblems: [] };
}

export function ids(list: { readonly data: readonly { readonly id: string }[] }): string[] {
  return list.data.map((model) => model.id);
}

/** The models that are listed, or priced where none are listed. */
export function offeredModels({ models, book }: Pick<Offer, 'models' | 'book'>): readonly string[] {
  return models ?? book?.models.map(({ model }) => model) ?? [];
}

/** The same as `readOffer`, for a command that keeps nothing of it. */
export function readOfferOnce(client: GatewayClient, billing: ResolvedBilling): Promise<Offer> {
  return inScratch((dir) => readOffer({ client }, dir, billing));
}

/** Runs reads whose files nobody keeps. */
export async function inScratch<T>(read: (dir: string) => Promise<T>): Promise<T> {
  const scratch = mkdtempSync(join(tmpdir(), 'weighbridge-offer-'));
  try {
    return await read(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
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
