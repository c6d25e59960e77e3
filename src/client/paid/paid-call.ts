import type { CallName } from '../../core/call-id.ts';
import type { TextKind } from '../../core/call-kind.ts';
import type { ExchangeTimeouts } from './call-alarms.ts';

const TASK_KINDS = ['image_job', 'image_edit_job', 'video'] as const;
/** Paid calls that are accepted first and followed by free reads. */
export type TaskKind = (typeof TASK_KINDS)[number];

interface AnyPaidCall {
  /** Its scenario stands in the row; with the instance it makes the ids, so it is used once in a process. */
  readonly name: CallName;
  readonly model: string;
  /** What is asked, without the marker, which comes before it; behind it where a cache shall match the prompt. */
  readonly prompt: string;
  readonly cached?: true;
  readonly timeouts: ExchangeTimeouts;
  /** USD, for the row; null where it is not known. */
  readonly worst_case_usd: string | null;
}

export interface TextCall extends AnyPaidCall {
  readonly kind: TextKind;
  readonly stream: boolean;
  /** The messages format needs one (interface §2). */
  readonly max_tokens: number | null;
  /** The messages format takes the key in either header. */
  readonly auth: 'bearer' | 'x-api-key';
}

interface ImageShapeAsked {
  readonly size: string | null;
  readonly quality: string | null;
  readonly response_format: 'url' | 'b64_json' | null;
  /** An edit carries its picture as a file, else as a data URL in JSON. */
  readonly multipart: boolean;
}

export interface ImageCall extends AnyPaidCall, ImageShapeAsked {
  readonly kind: 'image' | 'image_edit';
}

export interface ImageJobCall extends AnyPaidCall, ImageShapeAsked {
  readonly kind: 'image_job' | 'image_edit_job';
}

export interface VideoCall extends AnyPaidCall {
  readonly kind: 'video';
  readonly size: string | null;
  readonly seconds: number | null;
}

export type TaskCall = ImageJobCall | VideoCall;
export type CallToSend = TextCall | ImageCall | TaskCall;

/** An accepted task, with all that is needed to follow it, in another process too. */
export interface OpenTask {
  readonly kind: TaskKind;
  readonly id: string;
  readonly model: string;
  /** Of the paid call. */
  readonly call_id: string;
  readonly logical_id: string;
  readonly scenario: string;
  readonly timeouts: ExchangeTimeouts;
  /** The last status that was told; null for none yet. */
  readonly status: string | null;
  /** Reads of this task so far, which number the next one. */
  readonly reads: number;
}
