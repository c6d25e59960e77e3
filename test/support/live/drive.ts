import type { LiveTarget } from './live-targets.ts';
import type { LiveWorld } from './live-world.ts';

/** A fault, and the alerts that it is there for. */
export interface Drive {
  readonly alerts: readonly string[];
  /** Null where the alerts have no target. */
  readonly target: LiveTarget | null;
  readonly fault: string;
  readonly on: (world: LiveWorld) => Promise<unknown>;
  readonly off: (world: LiveWorld) => Promise<unknown>;
  /** What the same fault may bring about besides at that target, and nothing else. */
  readonly also: readonly string[];
  /** Targets that must be watched besides. */
  readonly needs?: readonly LiveTarget[];
  /** How long it may take to fire, and again to clear. */
  readonly withinMs?: number;
}

/** Drives that change the same thing, one after the other. */
export type Chain = readonly Drive[];

export const BURNS: readonly string[] = [
  'WeighbridgeErrorBudgetFastBurn',
  'WeighbridgeErrorBudgetMediumBurn',
  'WeighbridgeErrorBudgetSlowBurn',
];
