import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export const CLOCK_TICKS_PER_S = Number(
  spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout?.trim() || '100',
);

/**
 * CPU seconds that the whole machine was busy since it started; null where the system does not tell. What nobody of the
 * bench used of it is how noisy the machine was. The kernel counts by ticks: short bursts can escape it, so a difference
 * can come out a little below 0.
 */
export function busySeconds(): number | null {
  try {
    return busyTicks(readFileSync('/proc/stat', 'utf8')) / CLOCK_TICKS_PER_S;
  } catch {
    return null;
  }
}

/** user, nice, system, irq and softirq of the first line: neither idle, iowait, steal nor the guests' share of user. */
function busyTicks(stat: string): number {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = (stat.split('\n')[0] ?? '')
    .split(/\s+/)
    .map(Number);
  return user + nice + system + irq + softirq;
}
