import type { PaidKind } from './call-kind.ts';
import type { ImageShape, ScenarioPlan, SizeTable, VideoShape } from './plan.ts';
import { promptText } from './prompt-text.ts';

/** The marker (18 bytes) and the space after it stand before every prompt. */
export const MARKER_BYTES = 19;

/** Size of the prompt of an image or video call, marker included. */
export const MEDIA_PROMPT_BYTES = 160;

/** All of call n that does not depend on the run. */
export interface PlannedCall {
  readonly kind: PaidKind;
  readonly model: string;
  readonly stream: boolean;
  /** Without the marker. */
  readonly prompt: string;
  readonly max_tokens: number | null;
  readonly auth: 'bearer' | 'x-api-key';
  readonly multipart: boolean;
  readonly image: ImageShape | null;
  readonly video: VideoShape | null;
}

/**
 * Call `n` (from 0) of a scenario: a function of the seed, the scenario's name and shape, and n.
 * Shares are held exactly over blocks: of any 100 calls in a row at a share of 0.5, 50 stream.
 */
export function planCall(seed: number, scenario: ScenarioPlan, n: number): PlannedCall {
  const share = scenario.text?.stream_share ?? 0;
  const stream = isChosen(share, n);
  // Credentials alternate among the streamed calls and among the plain ones, so that all four mixes occur.
  const nth = stream ? chosenBefore(share, n) : n - chosenBefore(share, n);
  const isEdit = scenario.kind === 'image_edit' || scenario.kind === 'image_edit_job';
  const bytes = sizeOf(scenario.text?.prompt_bytes ?? MEDIA_PROMPT_BYTES, n);
  return {
    kind: scenario.kind,
    model: scenario.model,
    stream,
    prompt: promptText(bytes - MARKER_BYTES, 'prompt', seed, scenario.name, n),
    max_tokens: scenario.text === null ? null : sizeOf(scenario.text.max_tokens, n),
    auth: scenario.kind === 'messages' && nth % 2 === 1 ? 'x-api-key' : 'bearer',
    multipart: isEdit && isChosen(scenario.image?.multipart_share ?? 0, n),
    image: scenario.image,
    video: scenario.video,
  };
}

function sizeOf(table: SizeTable, n: number): number {
  return typeof table === 'number' ? table : (table[n % table.length] ?? 0);
}

const MILLION = 1_000_000;

function isChosen(share: number, n: number): boolean {
  return chosenBefore(share, n + 1) > chosenBefore(share, n);
}

/** ⌊n × share⌋ in whole millionths: 100 × 0.57 in doubles is 56.99…, and would lose a call. */
function chosenBefore(share: number, n: number): number {
  const product = n * Math.round(share * MILLION);
  return (product - (product % MILLION)) / MILLION;
}
