import { GatewayClient } from '../../client/gateway-client.ts';
import { NO_TLS } from '../../client/network-error.ts';
import type { ConnectionOptions } from '../../client/open-dispatcher.ts';
import type { ReadFailure } from '../../client/read-result.ts';
import { collectBook } from '../../collect/collect-book.ts';
import { collectModels } from '../../collect/collect-models.ts';
import { Credentials, loadCredentials } from '../../config/credentials.ts';
import type { ResolvedBilling } from '../../config/resolve-billing.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import type { PlanTarget } from '../../core/plan.ts';
import { embeddedTarget, planTarget } from '../../plan/plan-target.ts';
import type { BookArchive } from '../../pricebook/archive/archive-index.ts';
import { applyAgreed } from '../../pricebook/charge/apply-agreed.ts';
import { readPriceBook } from '../../pricebook/read/read-price-book.ts';
import { type EmbeddedGateway, startEmbeddedGateway } from '../gateway/embedded-gateway.ts';
import { VERSION } from '../version/version.ts';
import { namedBase } from './named-base.ts';
import { keepMapping, keepOwnBook } from './own-book.ts';

const READ_TIMEOUT_MS = 10_000;
const RETRY = { attempts: 3, firstWaitMs: 250, factor: 2, maxWaitMs: 60_000 };

/** The gateway that is weighed, and the credentials to do it with. */
export interface WeighedTarget {
  readonly target: PlanTarget;
  readonly credentials: Credentials;
  readonly client: GatewayClient;
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly faults: string | null;
  readonly journal: string | null;
  readonly readings: string | null;
}

/** Connects to the configured target, or starts the embedded gateway where none is configured. */
export async function openTarget(
  config: ResolvedConfig,
  env: Readonly<Record<string, string | undefined>>,
  embedded: EmbeddedOptions,
  signal: AbortSignal,
  runId: string,
): Promise<WeighedTarget> {
  const target = planTarget(config.target);
  if (target === null) return openEmbedded(config, embedded, signal, runId);
  for (const [name, value] of Object.entries(embedded)) {
    if (value === null) continue;
    throw new WeighbridgeError({
      code: 'embedded_only',
      message: `--${name} belongs to the embedded gateway, and a target is configured`,
      hint: `leave out --${name}, or leave out the target`,
    });
  }
  const credentials = loadCredentials(env);
  if (credentials.apiKey === null) {
    throw new WeighbridgeError({
      code: 'credential_missing',
      message: 'expected an API key for the target, found none',
      hint: 'set WEIGHBRIDGE_API_KEY, or WEIGHBRIDGE_API_KEY_FILE to the path of a file that holds it',
    });
  }
  const client = clientOf(target, credentials, signal, runId, config.http);
  return { target, credentials, client, close: () => client.close() };
}

async function openEmbedded(
  config: ResolvedConfig,
  options: EmbeddedOptions,
  signal: AbortSignal,
  runId: string,
): Promise<WeighedTarget> {
  const gateway: EmbeddedGateway = await startEmbeddedGateway({ seed: config.seed, ...options });
  const { base_url: baseUrl, api_key: apiKey, access_token: accessToken, user_id: userId } = gateway.ready;
  const target = embeddedTarget(baseUrl);
  const credentials = new Credentials({ apiKey, accessToken, userId: String(userId) });
  const client = clientOf(target, credentials, signal, runId);
  return {
    target,
    credentials,
    client,
    async close() {
      await client.close();
      await gateway.close();
    },
  };
}

/** `signal` ends its reads; the target sees the run's id in every one. `secrets` are what else it may repeat. */
export function clientOf(
  target: Pick<PlanTarget, 'root' | 'v1' | 'api'>,
  credentials: Credentials,
  signal: AbortSignal,
  runId: string,
  connection?: ConnectionOptions,
  secrets: readonly string[] = [],
): GatewayClient {
  return new GatewayClient({
    bases: { root: target.root, v1: target.v1, api: target.api },
    apiKey: credentials.apiKey ?? undefined,
    accessToken: credentials.accessToken ?? undefined,
    userId: credentials.userId ?? undefined,
    secrets,
    timeoutMs: READ_TIMEOUT_MS,
    retry: RETRY,
    signal,
    connection,
    userAgent: `weighbridge/${VERSION} run/${runId}`,
  });
}

/** What must be known before a plan can be made: the models of the key and the price book, archived as served. */
export interface Offer {
  readonly models: readonly string[];
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
  if (!models.ok) throw targetFailure('GET /v1/models', models);
  const mapping = source.mapping === null ? null : keepMapping(runDir, source.mapping);
  const own = source.file === null ? null : keepOwnBook(runDir, source.file);
  const book = await collectBook({ client, dir: runDir, sweep: 0, archive });
  if (own === null && !book.ok) {
    if (book.status === null) throw targetFailure('GET /pricing.usd.json', book);
    return { models: ids(models.body), book: null, bookProblems: [`GET /pricing.usd.json: ${book.message}`] };
  }
  const bytes = own ?? (book.ok ? book.bytes : new Uint8Array());
  const reading = readPriceBook(bytes, { adapter: source.adapter, mapping });
  return 'unreadable' in reading
    ? { models: ids(models.body), book: null, bookProblems: reading.unreadable }
    : {
        models: ids(models.body),
        book: applyAgreed(reading.book, terms.agreed, terms.group),
        bookProblems: [],
      };
}

function ids(list: { readonly data: readonly { readonly id: string }[] }): string[] {
  return list.data.map((model) => model.id);
}

/** A target that cannot be reached or refuses the credentials ends the command (exit 3). */
export function targetFailure(what: string, failure: ReadFailure): WeighbridgeError {
  const found = failure.status === null ? failure.message : `HTTP ${failure.status}: ${failure.message}`;
  const refused = failure.status === 401 || failure.status === 403;
  const expected = failure.status === 200 ? 'the JSON that the interface describes' : '200';
  return new WeighbridgeError({
    code: refused ? 'credentials_refused' : 'target_unreachable',
    message: `${what}: expected ${expected}, found ${found}`,
    hint: refused
      ? refusedHint(failure)
      : failure.errorType === 'tls'
        ? tlsHint(failure)
        : 'check the address (--target takes the root, /v1 or /api form) and that the gateway answers',
    exitCode: EXIT.target,
  });
}

function tlsHint({ message }: ReadFailure): string {
  return message.startsWith(NO_TLS)
    ? 'begin the address with http://, or give the port at which the gateway speaks TLS'
    : TLS_HINT;
}

const TLS_HINT =
  'give the PEM file of its authority in WEIGHBRIDGE_CA_FILE, or, on a test target of your own, set http.insecure_skip_tls_verify: true; http.tls_min is the lowest version that we allow';

function refusedHint({ code, message }: ReadFailure): string {
  const base = code === 'key_site_mismatch' ? namedBase(message) : null;
  return base === null
    ? 'check that the key is of this site (WEIGHBRIDGE_API_KEY) and that the target is its base address'
    : `the key belongs to ${base}: make that the target, or take a key of this site`;
}
