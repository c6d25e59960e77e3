import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AbroadWorld, abroadWorlds, type JudgedAbroad, judgeAbroad } from './abroad-worlds.ts';

/** Enough that each planted fault stands beside right calls of its kind. */
const CALLS = 50;

/** Runs worlds abroad, so many at a time; `tell` hears of each that is over. Once `stopped` says so, no further one begins. */
export function runAbroad(
  { count, seed, lanes }: { readonly count: number; readonly seed: number; readonly lanes: number },
  tell: (line: string) => void,
  stopped?: () => boolean,
): Promise<readonly JudgedAbroad[]> {
  return runWorlds(abroadWorlds(seed, count), lanes, tell, stopped);
}

export async function runWorlds(
  worlds: readonly AbroadWorld[],
  lanes: number,
  tell: (line: string) => void,
  stopped: () => boolean = () => false,
): Promise<readonly JudgedAbroad[]> {
  const judged: JudgedAbroad[] = [];
  const waiting = worlds.values();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const world of waiting) {
        if (stopped()) return;
        const folder = mkdtempSync(join(tmpdir(), 'weighbridge-abroad-'));
        try {
          const one = await judgeAbroad(world, { calls: CALLS, folder });
          judged.push(one);
          tell(`abroad ${world.seed}, ${world.planted ? 'planted' : 'honest'}: ${one.calls} calls`);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }
    }),
  );
  return judged;
}
