import { randomBytes, randomInt } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { AccountRegistry } from './account/account-registry.ts';
import { ChargeLedger } from './charging/charge-ledger.ts';
import { OpenCalls } from './charging/open-calls.ts';
import { RecordStore } from './charging/record-store.ts';
import { systemClock } from './clock.ts';
import { buildControlApp } from './control/control-app.ts';
import { FaultEngine } from './faults/fault-engine.ts';
import { type FaultPlan, NO_FAULTS } from './faults/fault-plan.ts';
import type { Gateway } from './gateway.ts';
import type { ImageWork } from './images/image-work.ts';
import { LinkSigner } from './images/link-signer.ts';
import { CallJournal } from './journal/call-journal.ts';
import { LATENCY, type LatencyPreset } from './latency/latency-preset.ts';
import { TimerWheel } from './latency/timer-wheel.ts';
import { CATALOGUE } from './models/catalogue.ts';
import { priceBookOf } from './pricing/price-book.ts';
import { buildApp } from './server/build-app.ts';
import { requestIdSource } from './server/request-id.ts';
import { TaskStore } from './tasks/task-store.ts';
import { PromptCache } from './tokens/prompt-cache.ts';
import type { VideoWork } from './videos/video-work.ts';

export interface GatewayOptions {
  /** 0: any free port. The gateway listens on 127.0.0.1 only. */
  readonly port: number;
  /** Decides reply texts, times and faults. */
  readonly seed: number;
  readonly faults?: FaultPlan;
  /** NDJSON file to which the journal is appended. */
  readonly journalPath?: string;
  /** Default: realistic. */
  readonly latency?: LatencyPreset;
}

/** What a client needs to use this gateway; the credentials live as long as it does. */
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
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
/** 1,000 USD in 10⁻¹² USD. */
const DEFAULT_BALANCE = 1000n * 10n ** 12n;

/** Starts the embedded gateway with one account of 1,000 USD and one key. Throws what listening throws. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const gateway = assemble(options);
  const account = gateway.registry.addAccount({ balance: DEFAULT_BALANCE });
  const { text: api_key } = gateway.registry.addKey({ account });
  const control_token = randomBytes(24).toString('hex');
  const salt = BigInt(`0x${randomBytes(8).toString('hex')}`);
  const app = await buildApp(gateway, requestIdSource(gateway.clock, salt));
  const control = buildControlApp(gateway, control_token);
  try {
    const base_url = await listen(app, options.port);
    const control_url = await listen(control, 0);
    const ready = {
      base_url,
      control_url,
      control_token,
      api_key,
      access_token: account.accessToken,
      user_id: account.id,
    };
    return { ready, close: () => close(gateway, [app, control]) };
  } catch (error) {
    await close(gateway, [app, control]);
    throw error;
  }
}

function assemble({ seed, faults, journalPath, latency }: GatewayOptions): Gateway {
  const clock = systemClock();
  const wheel = new TimerWheel(clock);
  const records = new RecordStore();
  const book = priceBookOf(CATALOGUE);
  const journal = new CallJournal(journalPath ?? null);
  return {
    seed,
    clock,
    wheel,
    latency: LATENCY[latency ?? 'realistic'],
    registry: new AccountRegistry(),
    records,
    ledger: new ChargeLedger(records, book),
    openCalls: new OpenCalls(),
    journal,
    faults: new FaultEngine(seed, faults ?? NO_FAULTS, journal),
    book,
    promptCache: new PromptCache(),
    imageJobs: new TaskStore<ImageWork>('imgjob_', clock, wheel),
    videoTasks: new TaskStore<VideoWork>('video_', clock, wheel),
    links: new LinkSigner(),
    quotaPerUsd: randomInt(100_000, 900_000),
  };
}

async function listen(app: FastifyInstance, port: number): Promise<string> {
  return await app.listen({ host: HOST, port, backlog: 4096 });
}

/** Ends open calls as aborted, so that each has its journal line, then the timers and the file. */
async function close(gateway: Gateway, apps: readonly FastifyInstance[]): Promise<void> {
  await Promise.all(apps.map((app) => app.close()));
  gateway.imageJobs.abandon();
  gateway.videoTasks.abandon();
  await gateway.openCalls.idle();
  gateway.wheel.close();
  gateway.journal.close();
}
