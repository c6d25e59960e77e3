import type { ScenarioPlan, SizeTable, TextShape, TraceLine } from '../contracts/plan.ts';
import { BYTES_PER_TOKEN_HUNDREDTHS } from '../core/prompt-text.ts';
import { largestPromptBytes, MARKER_BYTES, utf8Length } from '../workload/call-plan.ts';
import { largestSize, seededIndex, seededSize } from '../workload/seeded-order.ts';
import { watermarkBytes, watermarkOf } from '../workload/watermark.ts';

/** Sessions beyond so many are as these: each turn draws sizes of its own, and a plan must not take minutes. */
const MOST_SESSIONS_SUMMED = 20_000;

/** What the planned starts of a scenario send and ask for, in sum. */
export interface PlannedSizes {
  /** Turns of sessions included. */
  readonly calls: number;
  /** About; in a session every turn carries the turns before it, their answers as long as asked for. */
  readonly input_tokens: number;
  /** Of these, what calls before began with too, so that a cache can match it. */
  readonly cacheable_tokens: number;
  readonly output_tokens: number;
}

/** Files that a scenario draws on, beside the plan. */
export interface SizeSources {
  /** UTF-8 bytes of each prompt of its file; null for none. */
  readonly prompts: readonly number[] | null;
  /** Its starts in the trace; null for none. */
  readonly trace: readonly Pick<TraceLine, 'prompt_bytes' | 'max_tokens'>[] | null;
}

type Text = ScenarioPlan & { readonly text: TextShape };

/** Sums over the calls that `planCall` gives for starts 0 to `starts` − 1, without making their texts. */
export function plannedSizes(
  seed: number,
  scenario: Text,
  starts: number,
  sources: SizeSources,
): PlannedSizes {
  if (scenario.text.session !== null) return sessionSizes(seed, scenario, starts, sources);
  const { text } = scenario;
  const cut = text.watermark === null ? 0 : watermarkBytes(text.watermark.modulus - 1);
  // Where padding could lengthen a prompt, and in a trace, calls differ one by one.
  const isUniform =
    sources.trace === null && text.prompts === null && smallest(text.prompt_bytes) > MARKER_BYTES + cut;
  const bytes = isUniform
    ? tableSum(text.prompt_bytes, starts, (n) => promptBytes(seed, scenario, n, 1, sources))
    : sum(starts, (n) => promptBytes(seed, scenario, n, 1, sources));
  const added = starts * addedBytes(scenario);
  const output =
    sources.trace === null
      ? tableSum(text.max_tokens, starts, (n) => outputTokens(seed, scenario, n, 1, sources))
      : sum(starts, (n) => outputTokens(seed, scenario, n, 1, sources));
  const words = text.watermark === null ? 0 : sum(starts, (n) => paddingWords(text, n));
  return {
    calls: starts,
    input_tokens: inputTokens(bytes + added, words),
    cacheable_tokens: starts < 2 ? 0 : tokensOf(leadBytes(text, bytes * ((starts - 1) / starts))),
    output_tokens: output,
  };
}

/** A session that is summed: what its turn `t` sends is all prompts up to it and all answers before it. */
function sessionSizes(seed: number, scenario: Text, starts: number, sources: SizeSources): PlannedSizes {
  const summed = Math.min(starts, MOST_SESSIONS_SUMMED);
  const sums = { calls: 0, input: 0, cacheable: 0, output: 0 };
  for (let n = 0; n < summed; n += 1) {
    const turns = turnsOf(seed, scenario, n);
    let before = 0;
    for (let turn = 1; turn <= turns; turn += 1) {
      const bytes = promptBytes(seed, scenario, n, turn, sources);
      const words = turn === 1 ? paddingWords(scenario.text, n) : 0;
      const own = inputTokens(bytes, words);
      const output = outputTokens(seed, scenario, n, turn, sources);
      sums.calls += 1;
      sums.input += before + own + tokensOf(addedBytes(scenario));
      sums.cacheable += turn > 1 ? before : n === 0 ? 0 : tokensOf(leadBytes(scenario.text, bytes));
      sums.output += output;
      before += own + output;
    }
  }
  const all = (value: number): number => (summed === 0 ? 0 : Math.round((value * starts) / summed));
  return {
    calls: all(sums.calls),
    input_tokens: all(sums.input),
    cacheable_tokens: all(sums.cacheable),
    output_tokens: all(sums.output),
  };
}

/** Bytes that the user's members add to each request: tools and the like are input, too. */
function addedBytes({ body }: Pick<ScenarioPlan, 'body'>): number {
  return body === undefined ? 0 : utf8Length(body);
}

/** The largest call: bytes of all its prompts, and how many answers it carries. */
export function largestCall(
  scenario: ScenarioPlan,
  sources: SizeSources,
): { bytes: number; answers: number } {
  const { text } = scenario;
  const traced = (sources.trace ?? []).reduce(
    (most, { prompt_bytes }) => Math.max(most, prompt_bytes ?? 0),
    0,
  );
  const first = Math.max(traced, largestPromptBytes(scenario)) + addedBytes(scenario);
  if (text === null || text.session === null) return { bytes: first, answers: 0 };
  const later =
    text.prompts === null ? largestSize(text.prompt_bytes) : text.prompts.max_bytes + MARKER_BYTES;
  const answers = largestSize(text.session.turns) - 1;
  return { bytes: first + later * answers, answers };
}

function turnsOf(seed: number, { text, name }: Text, n: number): number {
  return text.session === null ? 1 : Math.max(1, seededSize(text.session.turns, n, 'turns', seed, name));
}

/** Bytes of the prompt of a turn, marker and padding included. */
export function promptBytes(
  seed: number,
  { text, name }: Text,
  n: number,
  turn: number,
  sources: SizeSources,
): number {
  const padding = turn === 1 ? watermarkBytes(paddingWords(text, n)) : 0;
  if (text.prompts !== null) {
    const place = n + turn - 1;
    const { count, order } = text.prompts;
    const index = order === 'in_turn' ? place % count : seededIndex(count, place, 'prompts', seed, name);
    return (sources.prompts?.[index] ?? 0) + MARKER_BYTES + padding;
  }
  const traced = turn === 1 ? (sources.trace?.[n]?.prompt_bytes ?? null) : null;
  const drawn = traced ?? seededSize(text.prompt_bytes, n, 'prompt_bytes', ...keyOf(seed, name, turn));
  return Math.max(drawn, MARKER_BYTES + 1 + padding);
}

/** Tokens asked for in a turn. */
export function outputTokens(
  seed: number,
  { text, name }: Text,
  n: number,
  turn: number,
  sources: SizeSources,
): number {
  const traced = turn === 1 ? (sources.trace?.[n]?.max_tokens ?? null) : null;
  return traced ?? seededSize(text.max_tokens, n, 'max_tokens', ...keyOf(seed, name, turn));
}

function keyOf(seed: number, name: string, turn: number): (string | number)[] {
  return turn === 1 ? [seed, name] : [seed, name, turn];
}

function paddingWords(text: TextShape, n: number): number {
  return text.watermark === null ? 0 : watermarkOf(text.watermark, n);
}

/** A file of prompts begins with what its lines begin with. */
function leadBytes(text: TextShape, bytes: number): number {
  return text.prompts === null ? bytes * text.cached_share : 0;
}

/** A word of padding is one token. */
function inputTokens(bytes: number, words: number): number {
  return tokensOf(bytes - watermarkBytes(words)) + words;
}

function tokensOf(bytes: number): number {
  return Math.round((bytes * 100) / BYTES_PER_TOKEN_HUNDREDTHS);
}

/** Over each block of a table's length every size comes once: only what is left over is drawn. */
function tableSum(table: SizeTable, starts: number, sizeOf: (n: number) => number): number {
  if (typeof table === 'number') return table * starts;
  const blocks = Math.floor(starts / table.length);
  const block = table.reduce((total, size) => total + size, 0);
  return blocks * block + sum(starts - blocks * table.length, (n) => sizeOf(blocks * table.length + n));
}

function sum(count: number, of: (n: number) => number): number {
  let total = 0;
  for (let n = 0; n < count; n += 1) total += of(n);
  return total;
}

function smallest(table: SizeTable): number {
  return typeof table === 'number' ? table : (table[0] ?? 0);
}
