import { Buffer } from 'node:buffer';
import { randomBytes, randomInt } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { WeighbridgeError } from '../contracts/failure.ts';
import type { Account } from './account/account.ts';
import { AccountRegistry, FIRST_ACCOUNT_ID, keyFingerprint } from './account/account-registry.ts';
import { OpenRegistry, WITHOUT_LIMIT } from './account/open-registry.ts';
import { CallDetails } from './calls/call-details.ts';
import { ChargeLedger } from './charging/charge-ledger.ts';
import { LateSettlements } from './charging/late-settlements.ts';
import { OpenCalls } from './charging/open-calls.ts';
import { RecordStore } from './charging/record-store.ts';
import { buildControlApp } from './control/control-app.ts';
import { BooksState } from './data/books-state.ts';
import { DataDirectory } from './data/data-directory.ts';
import { newCredentials } from './data/saved-credentials.ts';
import { dialectOf } from './dialects/dialect-routes.ts';
import { FaultEngine } from './faults/fault-engine.ts';
import { type FaultPlan, NO_FAULTS } from './faults/fault-plan.ts';
import type { Worn } from './hooks/worn.ts';
import { HTTP_LIMITS, type HttpLimits } from './http/http-limits.ts';
import { LinkSigner } from './http/link-signer.ts';
import { openFileWarning } from './http/open-file-limit.ts';
import { requestIdSource } from './http/request-id.ts';
import { IdempotencyStore } from './idempotency/idempotency-store.ts';
import { CallJournal } from './journal/call-journal.ts';
import { GatewayLatency } from './latency/gateway-latency.ts';
import type { LatencyModel } from './latency/latency-model.ts';
import { type LatencyPreset, latencyOf } from './latency/latency-preset.ts';
import { LatenessLog, type LatenessReport } from './latency/lateness-log.ts';
import { CATALOGUE } from './models/catalogue.ts';
import type { Gateway } from './parts/gateway.ts';
import type { Quirks } from './plain/quirks.ts';
import { quirkyLatency, quirkyReadings } from './plain/quirky-parts.ts';
import { catalogueOf } from './pricing/catalogue-of.ts';
import { bookChangeOf, PriceHistory } from './pricing/price-history.ts';
import { OWN_READINGS, type Readings } from './readings/readings.ts';
import { ServedForms } from './readings/served-forms.ts';
import { changePricesInTime } from './reads/change-prices.ts';
import { resumeBooks, TaskEvents } from './resume/resume-books.ts';
import { buildApp } from './server/build-app.ts';
import type { ImageWork, VideoWork } from './tasks/priced-work.ts';
import { TaskStore } from './tasks/task-store.ts';
import { systemClock, unixSeconds } from './time/clock.ts';
import { TimerWheel } from './time/timer-wheel.ts';
import { PromptCache } from './tokens/prompt-cache.ts';

export interface GatewayOptions {
  /** 0: any free port. The gateway listens on 127.0.0.1 only. */
  readonly port: number;
  /** Those that differ from the usual ones. */
  readonly httpLimits?: Partial<HttpLimits>;
  /** Decides reply texts, times and faults. */
  readonly seed: number;
  readonly faults?: FaultPlan;
  /** Default true: a request may ask for faults by `X-Weighbridge-Fault`. */
  readonly faultHeader?: boolean;
  /** Takes any key: it stands behind another gateway. */
  readonly upstream?: boolean;
  /** Serves without a bill, with these manners: no book, no records, no account. */
  readonly quirks?: Quirks;
  /** Wears the forms, the reads and the charges of another program. */
  readonly worn?: Worn;
  /** How it reads what the interface leaves open; its own choices unless given. */
  readonly readings?: Readings;
  /** NDJSON file to which the journal is appended. */
  readonly journalPath?: string;
  /** Directory in which accounts, jobs and books outlive the process; without it, memory only. */
  readonly dataDir?: string;
  /** Default: realistic. */
  readonly latency?: LatencyPreset | LatencyModel;
}

/** What a client needs to use this gateway; the credentials live as long as it does, or its data directory. */
export interface GatewayReady {
  readonly base_url: string;
  readonly control_url: string;
  readonly control_token: string;
  readonly api_key: string;
  readonly access_token: string;
  readonly user_id: number;
}

export interface RunningGateway {
  readonly ready: GatewayReady;
  /** What a user should know of the start, one sentence each. */
  readonly notes: readonly string[];
  /** How late the gateway's own events were, so that a measurement can be told apart from it. */
  latenessReport(): LatenessReport;
  /** Counts lateness from here on. */
  resetLateness(): void;
  /** Resolves when it can no longer write its journal or its data: it is to be closed then. It may never come. */
  readonly failed: Promise<WeighbridgeError>;
  /** Throws what it failed by, if it did. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const UNITS_PER_USD = { random: null, cents: 100, '500000th': 500_000 } as const;
/** 1,000 USD in 10⁻¹² USD. */
const DEFAULT_BALANCE = 1000n * 10n ** 12n;

/**
 * Starts the embedded gateway with one account of 1,000 USD and one key, or with those of its data directory.
 * Throws what listening throws, and WeighbridgeError for a directory that cannot be used.
 */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const failure = new GatewayFailure();
  const data = options.dataDir === undefined ? null : new DataDirectory(options.dataDir, failure.fail);
  try {
    return await serve(options, data, failure);
  } catch (error) {
    data?.close();
    throw error;
  }
}

async function serve(
  options: GatewayOptions,
  data: DataDirectory | null,
  failure: GatewayFailure,
): Promise<RunningGateway> {
  const { gateway, notes } = assemble(options, data, failure);
  changePricesInTime(gateway);
  const { api_key, access_token, user_id } = firstCredentials(gateway);
  const base = options.quirks?.values.get('base-path') ?? '';
  const control_token = randomBytes(24).toString('hex');
  const salt = BigInt(`0x${randomBytes(8).toString('hex')}`);
  const nextId = gateway.dialect?.requestIds(gateway.clock, salt) ?? requestIdSource(gateway.clock, salt);
  const app = await buildApp(gateway, nextId, {
    ...HTTP_LIMITS,
    ...options.httpLimits,
  });
  const control = buildControlApp(gateway, control_token);
  try {
    const base_url = await listen(app, options.port);
    const control_url = await listen(control, 0);
    return {
      ready: { base_url: base_url + base, control_url, control_token, api_key, access_token, user_id },
      notes: [...notes, openFileWarning() ?? []].flat(),
      failed: failure.happened,
      latenessReport: () => gateway.lateness.report(),
      resetLateness: () => gateway.lateness.reset(),
      close: async () => {
        try {
          await close(gateway, [app, control]);
        } finally {
          data?.close();
        }
        if (failure.error !== null) throw failure.error;
      },
    };
  } catch (error) {
    await close(gateway, [app, control]);
    throw error;
  }
}

/** With a data directory, everything stands as its last process left it. */
function assemble(
  {
    seed,
    faults,
    faultHeader = true,
    upstream = false,
    journalPath,
    latency = 'realistic',
    readings: given = OWN_READINGS,
    quirks: manners,
    worn,
  }: GatewayOptions,
  data: DataDirectory | null,
  failure: GatewayFailure,
): { gateway: Gateway; notes: readonly string[] } {
  const quirks = manners ?? null;
  const dialect = worn === undefined ? null : dialectOf(worn);
  const own = dialect?.readings(given) ?? given;
  const readings = quirks === null ? own : quirkyReadings(own, quirks);
  const clock = systemClock();
  clock.advance(readings.clock_offset_s * 1000);
  const wheel = new TimerWheel(clock, (error) => {
    // What could not be booked is told already.
    if (failure.error === null) throw error;
  });
  const records = new RecordStore();
  const prices = new PriceHistory(
    catalogueOf(dialect?.catalogue(CATALOGUE) ?? CATALOGUE, readings),
    readings.book_changes.map(bookChangeOf),
  );
  const journal = new CallJournal(journalPath ?? null, failure.fail);
  const replaced = ({ id }: Account, access_token: string): void => {
    if (id === FIRST_ACCOUNT_ID) data?.keepCredentials({ access_token });
  };
  const registry = new (
    upstream || quirks?.flags.has('needs-key') === false ? OpenRegistry : AccountRegistry
  )(data, replaced);
  const ledger = new ChargeLedger(records, prices.current.book, data);
  const state = new BooksState({ registry, ledger, records });
  const restored = data?.restore(state, unixSeconds(clock.wallMs())) ?? null;
  const gateway: Gateway = {
    seed,
    clock,
    wheel,
    latency: new GatewayLatency(
      quirkyLatency(typeof latency === 'string' ? latencyOf(latency) : latency, quirks),
    ),
    lateness: new LatenessLog(),
    data,
    registry,
    records,
    ledger,
    openCalls: new OpenCalls(),
    lateSettlements: new LateSettlements(clock, wheel),
    journal,
    faults: new FaultEngine(seed, faults ?? NO_FAULTS, journal),
    faultHeader,
    prices,
    readings,
    forms: new ServedForms(),
    dialect,
    details: dialect === null ? null : new CallDetails(),
    endings: new Map(),
    promptCache: new PromptCache(),
    imageJobs: new TaskStore<ImageWork>('imgjob_', clock, wheel, data && new TaskEvents(data, clock)),
    videoTasks: new TaskStore<VideoWork>(
      dialect?.taskPrefix ?? 'video_',
      clock,
      wheel,
      data && new TaskEvents(data, clock),
    ),
    idempotency: new IdempotencyStore(clock, data),
    quirks,
    links: new LinkSigner(data === null ? undefined : Buffer.from(data.credentials.link_secret, 'hex')),
    quotaPerUsd: restored?.quotaPerUsd ?? UNITS_PER_USD[readings.account_unit] ?? randomInt(100_000, 900_000),
  };
  resumeBooks(gateway, state);
  return { gateway, notes: restored?.notes ?? [] };
}

type FirstCredentials = Pick<GatewayReady, 'api_key' | 'access_token' | 'user_id'>;

/** Of the first account, which is made with its key where there is none. */
function firstCredentials({ registry, data, quirks }: Gateway): FirstCredentials {
  const kept = data?.credentials ?? newCredentials();
  const account =
    registry.account(FIRST_ACCOUNT_ID) ??
    registry.addAccount({
      balance: quirks === null ? DEFAULT_BALANCE : WITHOUT_LIMIT,
      accessToken: kept.access_token,
    }).account;
  const user_id = account.id;
  // The texts are in the directory alone: where that part of it was lost, there are new ones.
  const api_key =
    registry.keyOfFingerprint(keyFingerprint(kept.api_key)) === null
      ? registry.addKey({ account, text: kept.api_key }).text
      : kept.api_key;
  const isKnown = registry.accountOfToken(kept.access_token) === account;
  return { api_key, access_token: isKnown ? kept.access_token : registry.regenerateToken(account), user_id };
}

async function listen(app: FastifyInstance, port: number): Promise<string> {
  return await app.listen({ host: HOST, port, backlog: 4096 });
}

/** Ends open calls as cut, so that each has its journal line, then the timers and the files; kept tasks go on later. */
async function close(gateway: Gateway, apps: readonly FastifyInstance[]): Promise<void> {
  await Promise.all(apps.map((app) => app.close()));
  try {
    gateway.imageJobs.abandon();
    gateway.videoTasks.abandon();
    await settleRest(gateway);
  } finally {
    gateway.wheel.close();
    gateway.journal.close();
  }
}

/** A call that cannot be booked never ends. */
async function settleRest({ data, lateSettlements, openCalls }: Gateway): Promise<void> {
  if (data?.broken !== true) lateSettlements.settleAll();
  if (data?.broken !== true) await openCalls.idle();
  if (data?.broken !== true) lateSettlements.settleAll();
}

/** What ends a gateway for good: a file that it has to write can no longer be written. */
class GatewayFailure {
  #error: WeighbridgeError | null = null;
  #tell: (error: WeighbridgeError) => void = () => {};
  /** Resolves with the first failure; it may never come. */
  readonly happened: Promise<WeighbridgeError>;

  constructor() {
    this.happened = new Promise((resolve) => {
      this.#tell = resolve;
    });
  }

  /** The first one, or null. */
  get error(): WeighbridgeError | null {
    return this.#error;
  }

  readonly fail = (error: WeighbridgeError): void => {
    this.#error ??= error;
    this.#tell(error);
  };
}
