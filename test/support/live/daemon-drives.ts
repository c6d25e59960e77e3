import { readFileSync, writeFileSync } from 'node:fs';
import type { Chain, Drive } from './drive.ts';
import type { TargetChanges } from './live-files.ts';
import type { LiveWorld } from './live-world.ts';

/** More than the limit on series; all else stays below it. */
const MANY_MODELS = Array.from({ length: 500 }, (_, index) => `ghost-${index}`);

/** Faults of the watcher's configuration, one after the other, for they change one file. */
export const CONFIG_DRIVES: Chain = [
  {
    alerts: ['WeighbridgeConfigReloadFailed'],
    target: null,
    fault: 'a misspelt key',
    on: async (world) => {
      const file = world.files.configOf('service');
      writeFileSync(file, readFileSync(file, 'utf8').replace('every:', 'evry:'));
      await reload(world, false);
    },
    off: configured({}),
    also: [],
    needs: ['capped'],
  },
  {
    alerts: ['WeighbridgeProbeBudgetNearlySpent', 'WeighbridgeProbeBudgetExhausted'],
    target: 'capped',
    fault: 'caps below what was spent',
    on: configured({ capped: { budget: { usd_per_hour: '0.00001', usd_per_day: '0.00001' } } }),
    off: configured({}),
    also: ['WeighbridgeProbeStale'],
  },
  {
    alerts: ['WeighbridgeLabelOverflow'],
    target: null,
    fault: `${MANY_MODELS.length} models to watch, at a limit of 480 series`,
    on: configured({ shrinking: { watch_models: MANY_MODELS } }),
    off: configured({}),
    also: [],
    needs: ['shrinking'],
  },
];

/** The watcher gone, last of all: nothing else can fire meanwhile. */
export const GONE_DRIVES: readonly Drive[] = [
  {
    alerts: ['WeighbridgeDaemonAbsent'],
    target: null,
    fault: 'the daemons leave the scrape configuration',
    on: ({ prometheus }) => prometheus.scrape([]),
    off: (world) => world.scrapeAll(),
    also: [],
    needs: ['capped'],
  },
  {
    alerts: ['WeighbridgeDaemonDown'],
    target: null,
    fault: 'one daemon ends, and starts again',
    on: ({ service }) => service.end(),
    off: (world) => world.restart(),
    also: [],
    needs: ['capped'],
  },
];

function configured(changes: TargetChanges) {
  return async (world: LiveWorld): Promise<void> => {
    world.files.configure('service', changes);
    await reload(world, true);
  };
}

async function reload({ service }: LiveWorld, expected: boolean): Promise<void> {
  if ((await service.reload()) !== expected) throw new Error(`the reload was to be ${expected}`);
}
