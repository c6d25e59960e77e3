import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { formatInstant, parseInstant } from '../../core/time.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { jsonOf } from '../../text/json-of.ts';
import type { KeptRun } from './kept-runs.ts';

const HOUR_MS = 3_600_000;
/**
 * When the bill of a run is looked at again, after its last planned start. Hourly charges and refunds have come by the
 * first look, daily ones by the second.
 */
const LOOKS_AFTER_MS = [HOUR_MS, 25 * HOUR_MS];
/** What could not be read for a week is left to a person: the tool does not ask for ever. */
const GIVEN_UP_AFTER_MS = 25 * HOUR_MS + 7 * 24 * HOUR_MS;

const FILE = 'looks.json';
const looks = z.strictObject({ schema: z.literal('weighbridge.looks/1'), looked_at: z.array(z.string()) });
type Looks = z.infer<typeof looks>;

/** True where a look is due that has not been taken. */
export function isDue(
  { planned_end_ms }: Pick<KeptRun, 'planned_end_ms'>,
  looked_ms: readonly number[],
  now_ms: number,
): boolean {
  const age = now_ms - planned_end_ms;
  const asked = LOOKS_AFTER_MS.filter((after) => age >= after).at(-1);
  if (asked === undefined || age > GIVEN_UP_AFTER_MS) return false;
  return !looked_ms.some((at) => at >= planned_end_ms + asked);
}

/** The runs whose next look is due, the oldest first. An embedded gateway is gone with its run. */
export function dueRuns(runs: readonly KeptRun[], now_ms: number): readonly KeptRun[] {
  return runs.filter((run) => !run.target.embedded && isDue(run, looksOf(run.dir), now_ms)).toReversed();
}

/** Keeps that a run was looked at: the next `--due` passes it over. */
export function keepLook(runDir: string, now_ms: number): void {
  const looked_at = [...readLooks(runDir), formatInstant(now_ms)];
  const kept: Looks = { schema: 'weighbridge.looks/1', looked_at };
  replaceFile(join(runDir, FILE), `${JSON.stringify(kept, null, 2)}\n`);
}

function looksOf(runDir: string): readonly number[] {
  return readLooks(runDir).flatMap((at) => parseInstant(at) ?? []);
}

/** A file that cannot be read says of no look: its run is looked at once more, for free, and holds up no other. */
function readLooks(runDir: string): readonly string[] {
  const file = join(runDir, FILE);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return looks.safeParse(jsonOf(text)).data?.looked_at ?? [];
}
