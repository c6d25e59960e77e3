import * as z from 'zod';
import { visibleControls } from '../../text/visible-controls.ts';

const line = z.looseObject({ level: z.string(), time: z.string(), msg: z.string() });

const run = z.looseObject({
  target: z.string(),
  probe: z.string(),
  outcome: z.string().nullable(),
  error_type: z.string(),
  why: z.string().nullable(),
  duration_ms: z.number(),
  cost: z.object({ priced_usd: z.string().nullable() }).nullable(),
});

/** A line of the daemon's log for a reader at a terminal; the line itself where it is none of ours. */
export function logWords(json: string): string {
  const read = line.safeParse(parsed(json));
  if (!read.success) return json;
  const { level, time, msg, ...fields } = read.data;
  const head = `${time.slice(11, 19)}  ${level.padEnd(5)}`;
  const told = msg === 'run' ? run.safeParse(fields) : null;
  return visibleControls(
    `${head}  ${told?.success === true ? runWords(told.data) : eventWords(msg, fields)}`,
  );
}

/** `main chat-stream  ok  1240 ms  $0.0000123`. */
function runWords({
  target,
  probe,
  outcome,
  error_type,
  why,
  duration_ms,
  cost,
}: z.infer<typeof run>): string {
  const result = error_type === 'none' ? (outcome ?? 'ok') : `failed: ${error_type}`;
  return [
    `${target} ${probe}`,
    result,
    `${Math.round(duration_ms)} ms`,
    ...(typeof cost?.priced_usd === 'string' ? [`$${cost.priced_usd}`] : []),
    ...(why === null ? [] : [why]),
  ].join('  ');
}

/** What was logged beside the message, each by its name; of an error its message, the rest is for programs. */
function eventWords(msg: string, { err, ...fields }: Readonly<Record<string, unknown>>): string {
  const message = z.looseObject({ message: z.string() }).safeParse(err);
  const told = Object.entries(fields).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [msg, ...told, ...(message.success ? [message.data.message] : [])].join('  ');
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
