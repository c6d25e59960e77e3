import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { parseInstant } from '../../core/time.ts';
import { loadLedger } from '../../ledger/load-ledger.ts';
import { jsonOf } from '../../text/json-of.ts';
import { paidCalls } from '../records/paid-call.ts';
import { type KnownTraffic, NOTHING_KNOWN } from './reconcile-input.ts';

/** In a run folder: lines of ledgers of other commands that used the key, a file each. */
export const KNOWN_FOLDER = 'known';
/** The daemon's, as those of others are named by their runs. */
export const PROBE = 'probe';
/** Among them: when runs took place whose ledgers are gone. */
export const GONE_FILE = 'gone.json';
const GONE_SCHEMA = 'weighbridge.known-times/1';

const EXTENSION = '.ndjson';

export function knownFile(name: string): string {
  return `${name.replaceAll(/[^\w.-]/g, '_')}${EXTENSION}`;
}

const moment = z.string().refine((text) => parseInstant(text) !== null, 'expected a moment');
const gone = z.looseObject({
  schema: z.literal(GONE_SCHEMA),
  runs: z.array(z.object({ run_id: z.string(), from: moment, to: moment.nullable() })),
});

/** A run whose calls can be read no more; `to` is null where nobody knows when it ended. */
export type GoneRun = z.infer<typeof gone>['runs'][number];

export function goneText(runs: readonly GoneRun[]): string {
  return `${JSON.stringify({ schema: GONE_SCHEMA, runs }, null, 2)}\n`;
}

/** Throws `known_corrupt` (exit 2). */
export function readGone(runDir: string): readonly GoneRun[] {
  const file = join(runDir, KNOWN_FOLDER, GONE_FILE);
  if (!existsSync(file)) return [];
  const parsed = gone.safeParse(jsonOf(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data.runs;
  throw new WeighbridgeError({
    code: 'known_corrupt',
    message: `${file}: expected ${GONE_SCHEMA}, found ${z.prettifyError(parsed.error)}`,
    hint: 'remove the file, and reconcile the run again',
    exitCode: EXIT.usage,
  });
}

/** What a run folder knows of other traffic of its key. Throws as `loadLedger` and `readGone`. */
export async function readKnown(runDir: string): Promise<KnownTraffic> {
  const folder = join(runDir, KNOWN_FOLDER);
  if (!existsSync(folder)) return NOTHING_KNOWN;
  const names = (await readdir(folder)).filter((name) => name.endsWith(EXTENSION)).sort();
  const calls: KnownTraffic['calls'][number][] = [];
  for (const name of names) {
    const made = paidCalls(await loadLedger(join(folder, name)));
    calls.push({ of: nameOf(name.slice(0, -EXTENSION.length)), calls: made });
  }
  const times = readGone(runDir).map(({ run_id, from, to }) => ({
    of: nameOf(run_id),
    from_ms: parseInstant(from) ?? Number.NEGATIVE_INFINITY,
    to_ms: (to === null ? null : parseInstant(to)) ?? Number.POSITIVE_INFINITY,
  }));
  return { calls, times };
}

function nameOf(name: string): string {
  return name === PROBE ? 'the probe' : `run ${name}`;
}
