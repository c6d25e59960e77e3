import { resolve } from 'node:path';
import { trafficEntry } from './config-schema.ts';
import { FREE_LOAD } from './defaults.ts';
import { readEntry } from './layers.ts';
import type { Problem } from './problem.ts';
import { flagName } from './settings.ts';
import type { TrafficFile } from './traffic-schema.ts';

/** Flags that stand for one entry of the traffic, as typed. */
export interface LineFlags {
  readonly kind?: string;
  readonly model?: string;
  readonly rate?: string;
  readonly concurrency?: string;
  readonly requestCount?: string;
  readonly stream?: boolean;
  readonly promptTokens?: string;
  readonly maxTokens?: string;
  readonly promptFile?: string;
}

/** The key of the entry that each flag gives. */
const KEY_OF = {
  kind: 'kind',
  model: 'model',
  rate: 'rate',
  concurrency: 'concurrency',
  requestCount: 'max_calls',
  stream: 'stream',
  promptTokens: 'prompt_tokens',
  maxTokens: 'max_tokens',
  promptFile: 'prompts',
} as const satisfies Record<keyof LineFlags, keyof TrafficFile>;

const FLAGS = ['kind', 'model', 'rate', 'concurrency', 'requestCount', 'stream'] as const;
const SIZE_FLAGS = ['promptTokens', 'maxTokens', 'promptFile'] as const;

/** The pace of a line that names none: what a target bears without a permission. */
const DEFAULT_RATE = '2/s';

/**
 * The entry that the flags stand for, read by the schema of weighbridge.yaml; null where none of them is given. Over the
 * only entry of a file they change what they name.
 */
export function lineTraffic(
  flags: LineFlags,
  cwd: string,
  problems: Problem[],
  base: TrafficFile | null = null,
): TrafficFile | null {
  if ([...FLAGS, ...SIZE_FLAGS].every((key) => flags[key] === undefined)) return null;
  const over = base !== null && (flags.kind ?? base.kind) === base.kind ? base : null;
  const {
    kind = over?.kind ?? 'chat',
    model,
    rate,
    concurrency,
    requestCount,
    stream,
    promptTokens,
    maxTokens,
  } = flags;
  const entry = {
    kind,
    model,
    rate: perSecond(rate) ?? ((concurrency ?? requestCount) === undefined ? DEFAULT_RATE : undefined),
    // So many calls alone are made one after the other, as fast as they are answered.
    concurrency: whole(concurrency ?? (rate === undefined && requestCount !== undefined ? '1' : undefined)),
    max_calls: whole(requestCount),
    stream: stream === undefined ? undefined : Number(stream),
    prompt_tokens: whole(promptTokens),
    max_tokens: whole(maxTokens),
    prompts: flags.promptFile === undefined ? undefined : { file: resolve(cwd, flags.promptFile) },
  };
  const read = readEntry(given(entry), trafficEntry, placeOf, problems);
  return read === null || over === null ? read : changed(over, read, flags);
}

/** Keys that one flag of the pace, or of the prompts, takes the place of. */
const PACE = ['rate', 'stages', 'concurrency', 'arrival', 'burstiness', 'max_in_flight'] as const;
const PROMPTS = ['prompt_tokens', 'prompts'] as const;

function changed(base: TrafficFile, read: TrafficFile, flags: LineFlags): TrafficFile {
  const isPaced = (flags.rate ?? flags.concurrency) !== undefined;
  const gone = new Set<string>([
    ...(isPaced ? PACE : []),
    ...((flags.promptTokens ?? flags.promptFile) === undefined ? [] : PROMPTS),
  ]);
  const named = new Set<string>(
    [...FLAGS, ...SIZE_FLAGS].filter((key) => flags[key] !== undefined).map((key) => KEY_OF[key]),
  );
  const kept = Object.entries(base).filter(([key]) => !gone.has(key));
  const own = Object.entries(read).filter(([key]) => named.has(key));
  return { ...Object.fromEntries(kept), ...Object.fromEntries(own), kind: read.kind };
}

/** The entry held to what a target that is not loopback bears without a permission, where its rate is. */
export function careful(line: TrafficFile): TrafficFile {
  if (line.rate === undefined || line.rate > FREE_LOAD.millirate) return line;
  return { ...line, max_in_flight: line.max_in_flight ?? FREE_LOAD.in_flight };
}

/** How long a line with a count of calls may take: until the last of them is due, or for a closed loop an hour. */
export function lineDuration({ max_calls, rate }: TrafficFile): number | undefined {
  if (max_calls === undefined) return undefined;
  return rate === undefined || rate === 0 ? 3_600_000 : Math.ceil((max_calls * 1_000_000) / rate);
}

const CROWD = 100;

/** Many calls at once share virtual users of k6, each of which costs memory. */
export function lineCallsPerVu(line: TrafficFile | null): number | undefined {
  return (line?.concurrency ?? 0) > CROWD ? CROWD : undefined;
}

function placeOf(path: readonly PropertyKey[]): string {
  const flag = [...FLAGS, ...SIZE_FLAGS].find((key) => KEY_OF[key] === path[0]);
  return flag === undefined ? flagName('rate') : flagName(flag);
}

/** A number alone is calls per second, as other tools take it. */
function perSecond(rate: string | undefined): string | undefined {
  return rate !== undefined && NUMBER.test(rate) ? `${rate}/s` : rate;
}

const NUMBER = /^\d{1,9}(?:\.\d{1,6})?$/;

/** What is no whole number stays text, which the schema refuses. */
function whole(text: string | undefined): string | number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

function given(entry: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}
