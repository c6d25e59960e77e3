import { setTimeout as sleep } from 'node:timers/promises';
import type { Drive } from './drive.ts';
import type { LiveWorld } from './live-world.ts';

/** Times from the start of the watch, seconds; null where the alert did not fire or clear in time. */
export interface AlertRow {
  readonly alert: string;
  /** Empty where the alert has no target. */
  readonly target: string;
  readonly fault: string;
  readonly on: number;
  readonly fired: number | null;
  readonly off: number;
  readonly cleared: number | null;
}

/** Between two looks at Prometheus; one look serves all who wait. */
const LOOK_MS = 250;
/** Ten times what the slowest of them takes on a quiet machine, but for those that say otherwise. */
const WITHIN_MS = 400_000;

/** Switches faults on, waits for their alerts, switches them off and waits until they have cleared. */
export class AlertWatch {
  readonly #world: LiveWorld;
  readonly #began = performance.now();
  readonly rows: AlertRow[] = [];
  #look: Promise<ReadonlySet<string>> | null = null;

  constructor(world: LiveWorld) {
    this.#world = world;
  }

  /** One after the other. */
  async driveAll(drives: readonly Drive[]): Promise<void> {
    for (const drive of drives) await this.#drive(drive);
  }

  /** Where a fault has many alerts, it is switched off when all of them have fired. */
  async #drive({ alerts, target: named, fault, on, off, withinMs = WITHIN_MS }: Drive): Promise<void> {
    const target = named ?? '';
    const switchedOn = this.#seconds();
    await on(this.#world);
    const fired = await Promise.all(alerts.map((alert) => this.#when(`${alert} ${target}`, true, withinMs)));
    const switchedOff = this.#seconds();
    await off(this.#world);
    await Promise.all(
      alerts.map(async (alert, index) => {
        const cleared = await this.#when(`${alert} ${target}`, false, withinMs);
        const times = { on: switchedOn, fired: fired[index] ?? null, off: switchedOff, cleared };
        this.rows.push({ alert, target, fault, ...times });
      }),
    );
  }

  #seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }

  /** When it was first seen firing, or not firing; null where that did not come. */
  async #when(alert: string, fires: boolean, withinMs: number): Promise<number | null> {
    const deadline = performance.now() + withinMs;
    while (performance.now() < deadline)
      if ((await this.#firing()).has(alert) === fires) return this.#seconds();
    return null;
  }

  #firing(): Promise<ReadonlySet<string>> {
    this.#look ??= sleep(LOOK_MS)
      .then(() => this.#world.prometheus.firing())
      .then((firing) => new Set(firing.map(({ alertname, target }) => `${alertname} ${target ?? ''}`)))
      .finally(() => {
        this.#look = null;
      });
    return this.#look;
  }
}

/** As a person reads it, in the order of firing. */
export function alertTable(rows: readonly AlertRow[]): string {
  const seconds = (at: number | null): string => (at === null ? 'never' : at.toFixed(1)).padStart(7);
  const lines = rows
    .toSorted((left, right) => (left.fired ?? Infinity) - (right.fired ?? Infinity))
    .map(
      ({ alert, target, fault, on, fired, off, cleared }) =>
        `${alert.padEnd(34)}${target.padEnd(16)}${[on, fired, off, cleared].map(seconds).join(' ')}  ${fault}`,
    );
  return [`${'alert'.padEnd(34)}${'target'.padEnd(16)}     on   fired     off cleared  fault`, ...lines].join(
    '\n',
  );
}
