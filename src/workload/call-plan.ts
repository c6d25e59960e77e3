import type { ImageShape, ScenarioPlan, TextShape, TraceLine, VideoShape } from '../contracts/plan.ts';
import type { PaidKind } from '../core/call-kind.ts';
import { promptText } from '../core/prompt-text.ts';
import { blockText } from './block-text.ts';
import { largestSize, seededIndex, seededSize } from './seeded-order.ts';
import { watermarkBytes, watermarkOf, watermarkText } from './watermark.ts';

/** The marker (18 bytes) and the space after it: a prompt holds it before the part that is the call's own. */
export const MARKER_BYTES = 19;

/** Size of the prompt of an image or video call, marker included. */
export const MEDIA_PROMPT_BYTES = 160;

/** The smallest prompt: the marker and one character. */
const LEAST_BYTES = MARKER_BYTES + 1;

/** All of a call that does not depend on the run: the specification that xk6/traffic follows byte for byte. */
export interface PlannedCall {
  readonly kind: PaidKind;
  readonly model: string;
  readonly stream: boolean;
  /** What stands before the marker, its last space included; empty where the marker comes first. */
  readonly lead: string;
  /** What stands after the marker and its space, the watermark's padding included. */
  readonly rest: string;
  readonly max_tokens: number | null;
  readonly auth: 'bearer' | 'x-api-key';
  readonly multipart: boolean;
  readonly image: ImageShape | null;
  readonly video: VideoShape | null;
  /** Cut on purpose, at whichever comes first; null for a call that is read to its end. */
  readonly abort: { readonly after_ms: number | null; readonly after_events: number | null } | null;
  /** Words of padding; null for none. */
  readonly watermark: number | null;
  /** Turn of a session, from 1 on; null outside one. */
  readonly turn: number | null;
  /** Turns that the session has; 1 outside one. */
  readonly turns: number;
  /** Between the end of this turn's answer and the next turn; null after the last one. */
  readonly think_ms: number | null;
}

/** What planCall needs beside the plan where it draws on files. */
export interface CallSources {
  /** Turn of a session; 1 where it is not said. */
  readonly turn?: number;
  /** Texts of the plan's file of prompts. */
  readonly prompts?: readonly string[];
  /** What the trace says of start n. */
  readonly start?: Pick<TraceLine, 'prompt_bytes' | 'max_tokens' | 'stream' | 'hash_ids'>;
}

/**
 * Call `n` (from 0) of a scenario: a function of the seed, the scenario's name and shape, and n.
 * Shares are held exactly over each block of 100 calls, in an order of its own: of calls 300 to 399 at a share of 0.5,
 * 50 stream, and an execution segment, which makes every second call or fifth, sees the same mix as the others.
 */
export function planCall(
  seed: number,
  scenario: ScenarioPlan,
  n: number,
  sources: CallSources = {},
): PlannedCall {
  const { text, name } = scenario;
  const session = text?.session ?? null;
  const turn = sources.turn ?? 1;
  const turns = session === null ? 1 : Math.max(1, seededSize(session.turns, n, 'turns', seed, name));
  if (turn < 1 || turn > turns) {
    throw new Error(`call ${n} of ${name}: expected a turn from 1 to ${turns}, found ${turn}`);
  }
  // The first turn's draws are those of a call outside a session.
  const key = turn === 1 ? [seed, name] : [seed, name, turn];
  const share = text?.stream_share ?? 0;
  const place = shuffled(share, n, 'stream', seed, name);
  const streams = isChosen(share, place);
  // Which one it is among the streamed calls, or the plain ones: so all four mixes with the credentials occur.
  const nth = streams ? chosenBefore(share, place) : place - chosenBefore(share, place);
  const alike = [nth, seed, name, streams ? 1 : 0] as const;
  const isEdit = scenario.kind === 'image_edit' || scenario.kind === 'image_edit_job';
  // A trace says what starts, which is the first turn; what comes before a later turn pads it enough.
  const start = turn === 1 ? sources.start : undefined;
  const watermark =
    text === null || text.watermark === null || turn > 1 ? null : watermarkOf(text.watermark, n);
  return {
    kind: scenario.kind,
    model: scenario.model,
    stream: scenario.kind !== 'embedding' && (sources.start?.stream ?? streams),
    ...promptOf(seed, scenario, n, { turn, key, watermark: watermark ?? 0, start, prompts: sources.prompts }),
    max_tokens:
      text === null || scenario.kind === 'embedding'
        ? null
        : (start?.max_tokens ?? seededSize(text.max_tokens, n, 'max_tokens', ...key)),
    auth: scenario.kind === 'messages' && isDrawn(0.5, 'auth', ...alike) ? 'x-api-key' : 'bearer',
    multipart: isEdit && isDrawn(scenario.image?.multipart_share ?? 0, 'multipart', n, seed, name),
    image: scenario.image,
    video: scenario.video,
    // The last turn is cut, so that the turns before it are weighed.
    abort: turn === turns ? abortOf(scenario.abort, alike) : null,
    watermark,
    turn: session === null ? null : turn,
    turns,
    think_ms: session === null || turn === turns ? null : seededSize(session.think_ms, n, 'think_ms', ...key),
  };
}

/** The prompt as it is sent. */
export function markedPrompt({ lead, rest }: Pick<PlannedCall, 'lead' | 'rest'>, marker: string): string {
  return `${lead}${marker} ${rest}`;
}

/** Bytes of the largest prompt that a first turn of the scenario can have; a trace has sizes of its own. */
export function largestPromptBytes({ text }: ScenarioPlan): number {
  if (text === null) return MEDIA_PROMPT_BYTES;
  const padding = text.watermark === null ? 0 : watermarkBytes(text.watermark.modulus - 1);
  if (text.prompts !== null) return text.prompts.max_bytes + MARKER_BYTES + padding;
  return Math.max(largestSize(text.prompt_bytes), LEAST_BYTES + padding);
}

interface PromptDraw {
  readonly turn: number;
  readonly key: readonly (string | number)[];
  /** Words of padding. */
  readonly watermark: number;
  readonly start: CallSources['start'];
  readonly prompts: readonly string[] | undefined;
}

function promptOf(
  seed: number,
  { name, text }: ScenarioPlan,
  n: number,
  draw: PromptDraw,
): Pick<PlannedCall, 'lead' | 'rest'> {
  const padding = watermarkText(draw.watermark);
  const share = draw.turn === 1 ? (text?.cached_share ?? 0) : 0;
  if (text !== null && text.prompts !== null) {
    if (draw.prompts?.length !== text.prompts.count) {
      throw new Error(`scenario ${name}: expected ${text.prompts.count} prompts of the file`);
    }
    const place = n + draw.turn - 1;
    const index =
      text.prompts.order === 'in_turn'
        ? place % text.prompts.count
        : seededIndex(text.prompts.count, place, 'prompts', seed, name);
    const prompt = draw.prompts[index] ?? '';
    const cut = cutAfterSpace(prompt, share);
    return { lead: prompt.slice(0, cut), rest: `${prompt.slice(cut)}${padding}` };
  }
  const drawn =
    text === null ? MEDIA_PROMPT_BYTES : seededSize(text.prompt_bytes, n, 'prompt_bytes', ...draw.key);
  const size = Math.max(LEAST_BYTES, draw.start?.prompt_bytes ?? drawn);
  const free = size - MARKER_BYTES - padding.length;
  const blocks = draw.start?.hash_ids;
  const lead =
    blocks === undefined
      ? leadOf(seed, name, text, Math.min(shareOf(size, share), free - 1))
      : blockText(blocks, free - 1, seed);
  const own = promptText(
    Math.max(1, free - lead.length),
    'prompt',
    seed,
    name,
    n,
    ...(draw.turn === 1 ? [] : [draw.turn]),
  );
  return { lead, rest: `${own}${padding}` };
}

/** The first bytes of the one text that all calls of the scenario begin with, and a space. */
function leadOf(seed: number, name: string, text: TextShape | null, bytes: number): string {
  if (text === null || bytes < 2) return '';
  return `${promptText(bytes, 'lead', seed, name).slice(0, bytes - 1)} `;
}

/** Index after the last space of the first `share` of a text's bytes: no word and no character is split. */
function cutAfterSpace(text: string, share: number): number {
  const most = shareOf(utf8Length(text), share);
  let bytes = 0;
  let index = 0;
  let cut = 0;
  for (const character of text) {
    bytes += utf8Length(character);
    if (bytes > most) break;
    index += character.length;
    if (character === ' ' || character === '\n' || character === '\t') cut = index;
  }
  return cut;
}

/** Bytes of a text in UTF-8; a lone surrogate counts as its replacement character. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** What is drawn with a share: the number of the call among those that compete, and the key. */
type Draw = readonly [n: number, ...key: (string | number)[]];

/** Streamed and plain calls are cut at the same share, whatever their credentials. */
function abortOf(abort: ScenarioPlan['abort'], alike: Draw): PlannedCall['abort'] {
  if (abort === null || !isDrawn(abort.share, 'abort', ...alike)) return null;
  return { after_ms: abort.after_ms, after_events: abort.after_events };
}

function isDrawn(share: number, what: string, n: number, ...key: readonly (string | number)[]): boolean {
  return isChosen(share, shuffled(share, n, what, ...key));
}

/**
 * The place that `n` has after its block is shuffled. A block is the fewest calls that hold the share exactly, so that
 * ten calls at 0.5 stream five, and at most 100.
 */
function shuffled(share: number, n: number, ...key: readonly (string | number)[]): number {
  const length = BLOCKS.find((calls) => (calls * Math.round(share * MILLION)) % MILLION === 0) ?? MOST;
  return n - (n % length) + seededIndex(length, n, ...key);
}

/** Divisors of the longest block. */
const MOST = 100;
const BLOCKS: readonly number[] = [1, 2, 4, 5, 10, 20, 25, 50, MOST];

const MILLION = 1_000_000;

function isChosen(share: number, n: number): boolean {
  return chosenBefore(share, n + 1) > chosenBefore(share, n);
}

function chosenBefore(share: number, n: number): number {
  return shareOf(n, share);
}

/** ⌊of × share⌋ in whole millionths: 100 × 0.57 in doubles is 56.99…, and would lose a call. */
function shareOf(of: number, share: number): number {
  const product = of * Math.round(share * MILLION);
  return (product - (product % MILLION)) / MILLION;
}
