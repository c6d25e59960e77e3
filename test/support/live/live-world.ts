import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { TestAuthority } from '../../../src/client/test-certificate.test-support.ts';
import { JOB } from '../../../src/dashboards/rules/daemon-alerts.ts';
import { renderRules } from '../../../src/dashboards/rules/rule-groups.ts';
import { GatewayControl, type GatewayUser } from './gateway-control.ts';
import { LiveDaemon } from './live-daemon.ts';
import { LiveFiles, PARTS, type Part } from './live-files.ts';
import { LivePrometheus } from './live-prometheus.ts';
import type { LiveTarget } from './live-targets.ts';
import { TlsFront } from './tls-front.ts';

/** A day lasts 144 seconds. */
export const TIME_SCALE = 1 / 600;
/** First tokens are slow from 0.4 seconds on, and settlements from 75 seconds: less is the noise of a busy machine. */
const LATENCY_SCALE = 1 / 12;
const SCRAPE_MS = 500;
/** Six scrapes: on a busy machine one or two come late, which must neither empty a window nor outlast a `for`. */
const SHORTEST_MS = 6 * SCRAPE_MS;

/** Answers take as long as one can tell from the noise of a busy machine; a video takes one second. */
const LATENCY = { preset: 'fast', ttft: { fixed: { ms: 150 } }, video_run: { fixed: { ms: 1000 } } };

interface Parts {
  readonly gateway: GatewayControl;
  readonly books: GatewayControl;
  readonly authority: TestAuthority;
  readonly front: TlsFront;
  readonly users: ReadonlyMap<LiveTarget, GatewayUser>;
  readonly files: LiveFiles;
}

/** Two gateways, the daemons and Prometheus, each in a process of its own, and each target with a user of its own. */
export class LiveWorld {
  readonly gateway: GatewayControl;
  /** The gateway of `repriced` alone. */
  readonly books: GatewayControl;
  readonly authority: TestAuthority;
  readonly front: TlsFront;
  readonly files: LiveFiles;
  readonly #users: ReadonlyMap<LiveTarget, GatewayUser>;
  readonly #daemons = new Map<Part, LiveDaemon>();
  readonly #everyDaemon: LiveDaemon[] = [];
  #prometheus: LivePrometheus | null = null;

  static async open(dir: string, names: readonly LiveTarget[]): Promise<LiveWorld> {
    const [gateway, books] = await Promise.all([
      GatewayControl.start(join(dir, 'gateway')),
      GatewayControl.start(join(dir, 'books')),
    ]);
    await gateway.call('PUT', '/latency', LATENCY);
    const authority = new TestAuthority();
    const front = await TlsFront.open(gateway.baseUrl, authority.issue('localhost'));
    onTestFinished(() => front.close());
    const placed = await Promise.all(
      names.map(async (name) => {
        const at = name === 'repriced' ? books : gateway;
        const user = await at.addUser(name === 'overspending' ? '100' : '1000000');
        return { name, user, url: name === 'expiring' ? front.url : at.baseUrl };
      }),
    );
    const users = new Map(placed.map(({ name, user }) => [name, user]));
    const world = new LiveWorld({
      gateway,
      books,
      authority,
      front,
      users,
      files: new LiveFiles(dir, placed),
    });
    await world.#begin(dir);
    return world;
  }

  private constructor({ gateway, books, authority, front, users, files }: Parts) {
    this.gateway = gateway;
    this.books = books;
    this.authority = authority;
    this.front = front;
    this.files = files;
    this.#users = users;
  }

  async #begin(dir: string): Promise<void> {
    this.files.trust(this.authority.certificate);
    const shrinking = this.#users.get('shrinking');
    if (shrinking !== undefined) this.files.useKey(shrinking.api_key);
    const parts = PARTS.filter((part) => this.files.targetsOf(part).length > 0);
    for (const part of parts) this.files.configure(part, {});
    await Promise.all(parts.map(async (part) => (await this.#start(part)).settled()));
    const rules = renderRules({
      timeScale: TIME_SCALE,
      latencyScale: LATENCY_SCALE,
      shortestMs: SHORTEST_MS,
      interval: `${SCRAPE_MS}ms`,
    });
    const addresses = this.#addresses();
    const prometheus = await LivePrometheus.start({
      dir,
      rules,
      job: JOB,
      scrapeMs: SCRAPE_MS,
      addresses,
    });
    this.#prometheus = prometheus;
  }

  /** The daemon of all targets but those whose charges are audited. */
  get service(): LiveDaemon {
    return given(this.#daemons.get('service'), 'daemon');
  }

  get prometheus(): LivePrometheus {
    return given(this.#prometheus, 'Prometheus');
  }

  readonly user = (name: LiveTarget): GatewayUser => given(this.#users.get(name), name);

  /** When a daemon had waited long for a processor, in milliseconds since the epoch. */
  starvedAt(): readonly number[] {
    return this.#everyDaemon.flatMap(({ starved_at }) => starved_at);
  }

  /** Another daemon in the place of the first. */
  async restart(): Promise<void> {
    await this.#start('service');
    await this.scrapeAll();
  }

  scrapeAll(): Promise<void> {
    return this.prometheus.scrape(this.#addresses());
  }

  #addresses(): readonly string[] {
    return [...this.#daemons.values()].map(({ url }) => url);
  }

  async #start(part: Part): Promise<LiveDaemon> {
    const daemon = await LiveDaemon.start({
      file: this.files.configOf(part),
      state: this.files.stateOf(part),
      env: this.files.env(),
      timeScale: TIME_SCALE,
    });
    onTestFinished(() => daemon.kill());
    this.#daemons.set(part, daemon);
    this.#everyDaemon.push(daemon);
    return daemon;
  }
}

function given<T>(value: T | null | undefined, name: string): T {
  if (value === null || value === undefined) throw new RangeError(`no ${name} here`);
  return value;
}
