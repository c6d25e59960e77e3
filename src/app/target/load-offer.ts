import { setTimeout as wait } from 'node:timers/promises';
import type { GatewayClient } from '../../client/gateway-client.ts';
import type { ReadFailure } from '../../client/read-result.ts';
import type { ResolvedBilling } from '../../config/resolve-billing.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { isLoopbackBase } from '../../config/target-bases.ts';
import type { Dialect } from '../../contracts/dialect.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { PlanTarget } from '../../contracts/plan.ts';
import { type ResolvedPlan, resolvePlan } from '../../plan/resolve-plan.ts';
import { newNonce } from '../../plan/run-id.ts';
import type { BookArchive } from '../../pricebook/archive/archive-index.ts';
import { readPriceBook } from '../../pricebook/read/read-price-book.ts';
import { isWithoutRecords, NO_ENDPOINT, REFUSED, readBill, refuseWithoutBill } from './bill-read.ts';
import { collectModels, ids, inScratch, type Offer, readPrices } from './offer.ts';
import { targetFailure } from './target-failure.ts';
import { credentialMissing, type WeighedTarget } from './weighed-target.ts';

/** What a load is planned by: any server that answers will do, with a bill or without. */
export interface LoadOffer extends Pick<Offer, 'book' | 'bookProblems'> {
  /** Null where a target without a bill has no list that can be read. */
  readonly models: readonly string[] | null;
  /** Why there is no list; null where there is one. */
  readonly unlisted: ReadFailure | null;
  readonly bill: PlanTarget['bill'];
  /** How the target serves its bill; `plain` where it has none. */
  readonly dialect: Dialect;
}

/**
 * Reads models, prices and whether there are usage records, all for free. A target without records and without a readable
 * book has no bill: it may do without a key and without a model list. Throws `no_bill` (exit 2) where an audit was meant.
 */
export async function readLoadOffer(
  { client, target, credentials }: Pick<WeighedTarget, 'client' | 'target' | 'credentials'>,
  runDir: string,
  billing: ResolvedBilling,
  options: { readonly mode: 'audit' | 'run'; readonly archive?: BookArchive | undefined },
): Promise<LoadOffer> {
  const models = await collectModels({ client, dir: runDir, sweep: 0 });
  if (!models.ok && models.status === null) throw targetFailure('GET /v1/models', models);
  const hasKey = credentials.identifies;
  // Without a key the list may be refused, and the book be public all the same.
  if (!models.ok && hasKey && REFUSED.includes(models.status)) throw targetFailure('GET /v1/models', models);
  const prices = await readPrices(client, runDir, billing, options.archive);
  const usage = target.embedded ? null : await readBill(client);
  if (options.mode === 'audit' && usage !== null)
    refuseWithoutBill(usage, `weighbridge run ${target.root}`, prices.bookProblems);
  const looksPlain = usage !== null && prices.book === null && isWithoutRecords(usage, hasKey);
  const isWithout = looksPlain && (await staysPlain(client, target.root, hasKey));
  // A server that refuses whatever is asked is no server that lacks a key.
  if (!models.ok && !isWithout && ![...REFUSED, ...NO_ENDPOINT].includes(models.status))
    throw targetFailure('GET /v1/models', models);
  if (!hasKey && (options.mode === 'audit' || !isWithout)) throw credentialMissing();
  if (!models.ok && !isWithout && !NO_ENDPOINT.includes(models.status))
    throw targetFailure('GET /v1/models', models);
  return {
    models: models.ok ? ids(models.body) : null,
    unlisted: models.ok ? null : models,
    ...prices,
    bill: isWithout ? 'none' : 'served',
    dialect: isWithout ? 'plain' : client.dialect,
  };
}

/** A gateway that is being replaced may have neither for a moment, and would be loaded without a cap. */
const SECOND_LOOK_MS = 5_000;

/** Looks once more, after a while, where the server is not on this machine. */
async function staysPlain(client: GatewayClient, root: string, hasKey: boolean): Promise<boolean> {
  if (client.dialect === 'plain' || isLoopbackBase(new URL(root).hostname)) return true;
  await wait(SECOND_LOOK_MS);
  const [usage, book] = [await readBill(client), await client.priceBook()];
  return isWithoutRecords(usage, hasKey) && (!book.ok || 'unreadable' in readPriceBook(book.bytes));
}

/** The same for a command that keeps nothing of it. */
export function readLoadOfferOnce(weighed: WeighedTarget, billing: ResolvedBilling): Promise<LoadOffer> {
  return inScratch((dir) => readLoadOffer(weighed, dir, billing, { mode: 'run' }));
}

/** A server that refuses its list asks for a key or a header of its own; one that has no list needs the name of a model. */
function withoutList(failure: ReadFailure): WeighbridgeError {
  const found = `HTTP ${failure.status}: ${failure.message.replace(/^HTTP \d+: /, '')}`;
  const isRefused = REFUSED.includes(failure.status);
  return new WeighbridgeError({
    code: isRefused ? 'credentials_refused' : 'model_needed',
    message: `The target gave no list of models. GET /v1/models gave ${found}.`,
    hint: isRefused
      ? "Give the key that the server asks for in WEIGHBRIDGE_API_KEY, or give --header 'Name: value'."
      : 'Check the address. If the server lists no models, give --model ID.',
    exitCode: isRefused ? EXIT.target : EXIT.usage,
  });
}

/** Dialects whose bill is read in their own way, also when a run is judged later. */
const OWN_WAYS: readonly Dialect[] = ['new-api', 'litellm'];

/** Plans the calls of a configuration by what the target offers. Throws as `resolvePlan`. */
export function planOffered(
  config: ResolvedConfig,
  target: PlanTarget,
  {
    book,
    models: listedModels,
    unlisted = null,
    bill = 'served',
    dialect = 'interface',
  }: Pick<LoadOffer, 'book' | 'models'> & Partial<Pick<LoadOffer, 'bill' | 'dialect' | 'unlisted'>>,
  run: Pick<Parameters<typeof resolvePlan>[0], 'runId' | 'now' | 'cap' | 'instances'>,
): ResolvedPlan {
  const isNamed = config.traffic.every(({ model }) => model !== null);
  if (bill === 'none' && unlisted !== null && !isNamed) throw withoutList(unlisted);
  return resolvePlan({
    config,
    target: { ...target, bill, ...(OWN_WAYS.includes(dialect) ? { dialect } : {}) },
    book,
    listedModels,
    nonce: newNonce(),
    ...run,
  });
}
