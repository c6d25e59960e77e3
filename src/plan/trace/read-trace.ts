import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { configInvalid, describeFound, type Problem } from '../../config/problem.ts';
import type { TraceLine } from '../../contracts/plan.ts';
import type { PaidKind } from '../../core/call-kind.ts';
import { type Decimal, parseDecimal } from '../../core/decimal.ts';
import type { TraceColumns } from './trace-columns.ts';
import { problem, type TimedLine, TraceLineReader } from './trace-line-reader.ts';
import { divideHalfUp } from './trace-moment.ts';
import { traceRecords } from './trace-records.ts';

/** The name of the normalised trace in a run folder. */
export const TRACE_FILE = 'trace.ndjson';

export interface TraceOptions {
  /** Absolute path: CSV with a header, or NDJSON. */
  readonly file: string;
  /** Decimal text above 0: 2 replays in half the time. */
  readonly speed: string;
  /** Kind of the lines that name none; null for chat. */
  readonly kind: PaidKind | null;
  /** Model of the lines that name none; null leaves it open. */
  readonly model: string | null;
  /** Starts at or behind this moment are left out; null keeps all. */
  readonly until_ms: number | null;
  readonly columns: TraceColumns;
}

/** Starts of one kind and model. */
export interface TraceScenario {
  /** As of `ScenarioPlan`: the kind, with the model where the trace has several of a kind. */
  readonly name: string;
  readonly kind: PaidKind;
  /** Null where neither lines nor options name one. */
  readonly model: string | null;
  /** Ascending by time. */
  readonly starts: readonly TraceLine[];
}

export interface ReplayedTrace {
  /** In the order of their first starts. */
  readonly scenarios: readonly TraceScenario[];
  /** The content of `trace.ndjson`: all starts, ascending. */
  readonly text: string;
  /** SHA-256 of `text` in UTF-8, hexadecimal. */
  readonly sha256: string;
  /** From the start of the run to the last start, ms, rounded up. */
  readonly last_ms: number;
  /** What was changed or left out, one sentence each. */
  readonly notes: readonly string[];
}

const MOST_STARTS = 10_000_000;
const MOST_PROBLEMS = 100;

/**
 * Reads a trace to replay, also the `trace.ndjson` of a run, which at speed 1 gives itself again. Times count from the
 * beginning of the replay (`at_us`, `at_ms`, `at_s`, small numbers of `timestamp`), or are dates (RFC 3339, seconds or ms
 * since 1970), of which the earliest is the beginning. Throws `config_invalid` (exit 2) with file, line and column of each
 * value that cannot be read.
 */
export function readTrace(options: TraceOptions): ReplayedTrace {
  const { lines, zeros } = readLines(options);
  const notes: string[] = [];
  if (zeros > 0) notes.push(`${zeros} lines of the trace ask for 0 tokens: 1 is asked for`);
  const base = lines.reduce<bigint | null>(
    (least, { moment: { us, dated } }) => (!dated ? 0n : least === null || us < least ? us : least),
    null,
  );
  const speed = speedOf(options);
  const timed = lines.map((line) => ({
    line,
    at_us: Number(divideHalfUp((line.moment.us - (base ?? 0n)) * 10n ** BigInt(speed.scale), speed.digits)),
  }));
  if (timed.some(({ at_us }, i) => at_us < (timed[i - 1]?.at_us ?? 0))) {
    notes.push('the lines of the trace are not in the order of their times: they were sorted');
    timed.sort((left, right) => left.at_us - right.at_us);
  }
  const limit = options.until_ms === null ? Number.POSITIVE_INFINITY : options.until_ms * 1000;
  const kept = timed.filter(({ at_us }) => at_us < limit);
  if (kept.length === 0) {
    const rule = `must hold a start before the end of the run, at ${limit / 1000} ms`;
    throw configInvalid([problem(options.file, '', rule, null)]);
  }
  if (kept.length < timed.length) {
    notes.push(
      `${timed.length - kept.length} starts of the trace are behind the end of the run and left out`,
    );
  }
  return { ...replayed(kept), notes };
}

function replayed(timed: readonly { line: TimedLine; at_us: number }[]): Omit<ReplayedTrace, 'notes'> {
  const nameOf = nameGroups(timed.map(({ line }) => line));
  const groups = new Map<string, { kind: PaidKind; model: string | null; starts: TraceLine[] }>();
  const texts: string[] = [];
  for (const { line, at_us } of timed) {
    const { moment: _, kind, model, ...asked } = line;
    const scenario = nameOf(kind, model);
    const start: TraceLine = { scenario, kind, model, at_us, ...asked };
    const group = groups.get(scenario) ?? { kind, model, starts: [] };
    group.starts.push(start);
    groups.set(scenario, group);
    texts.push(`${JSON.stringify(start)}\n`);
  }
  const text = texts.join('');
  return {
    scenarios: [...groups].map(([name, group]) => ({ name, ...group })),
    text,
    sha256: createHash('sha256').update(text).digest('hex'),
    last_ms: Math.ceil((timed.at(-1)?.at_us ?? 0) / 1000),
  };
}

function speedOf({ speed, file }: TraceOptions): Decimal {
  const value = parseDecimal(speed);
  if (value !== null && value.digits > 0n) return value;
  throw configInvalid([problem(file, 'speed', 'must be a decimal number above 0', describeFound(speed))]);
}

function readLines(options: TraceOptions): { lines: TimedLine[]; zeros: number } {
  const { file } = options;
  const problems: Problem[] = [];
  const reader = new TraceLineReader(options, problems);
  const lines: TimedLine[] = [];
  for (const record of traceRecords(readText(file), file)) {
    if ('rule' in record) problems.push(problem(record.at, '', record.rule, record.found));
    else {
      const line = reader.read(record);
      if (line !== null) lines.push(line);
    }
    if (reader.lost || problems.length >= MOST_PROBLEMS || lines.length > MOST_STARTS) break;
  }
  if (problems.length > 0) throw configInvalid(problems);
  if (lines.length === 0) throw configInvalid([problem(file, '', 'must hold at least one start', null)]);
  if (lines.length > MOST_STARTS) {
    throw configInvalid([problem(file, '', `must hold at most ${MOST_STARTS} starts`, 'more')]);
  }
  return { lines, zeros: reader.zeros };
}

function readText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (cause) {
    if (cause instanceof TypeError) throw configInvalid([problem(file, '', 'must be UTF-8', null)]);
    throw configInvalid(
      [problem(file, '', 'must be a trace that can be read', null)],
      `Put the trace at ${file}, or name its file at trace.file; its path starts from the configuration.`,
    );
  }
}

interface Group {
  readonly kind: PaidKind;
  readonly model: string | null;
}

/**
 * Names the scenarios of a trace: the kind, and behind it the model where the trace has several of a kind. Names are of
 * `[0-9a-zA-Z_-]+` and unique: models that differ in other characters only get a number, in the order of their starts.
 */
function nameGroups(lines: readonly Group[]): (kind: PaidKind, model: string | null) => string {
  const models = new Map<PaidKind, Set<string | null>>();
  for (const { kind, model } of lines) {
    const known = models.get(kind) ?? new Set();
    known.add(model);
    models.set(kind, known);
  }
  const names = new Map<string, string>();
  const taken = new Set<string>(models.keys());
  for (const [kind, known] of models) {
    for (const model of known) {
      const name = known.size === 1 ? kind : unused(`${kind}-${slug(model)}`, taken);
      taken.add(name);
      names.set(keyOf(kind, model), name);
    }
  }
  return (kind, model) => names.get(keyOf(kind, model)) ?? kind;
}

function slug(model: string | null): string {
  return (model ?? 'any').replace(/[^0-9a-zA-Z_-]+/g, '-').replace(/^-+|-+$/g, '') || 'model';
}

function unused(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let n = 2; taken.has(free); n += 1) free = `${name}-${n}`;
  return free;
}

function keyOf(kind: PaidKind, model: string | null): string {
  return JSON.stringify([kind, model]);
}
