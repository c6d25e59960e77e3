import type { TokenUsage } from '../events/charge-record.ts';
import type { ChargedEndpoint, ChargedKind } from '../http/endpoints.ts';
import type { Readings } from '../readings/readings.ts';
import type { PromptMessage } from '../tokens/prompt-message.ts';

/** What the three formats have in common once read. */
export interface TextRequest {
  readonly model: string;
  readonly messages: readonly PromptMessage[];
  readonly stream: boolean;
  /** Null: the request sets no limit. */
  readonly maxTokens: number | null;
  /** chat only: `stream_options.include_usage`. */
  readonly includeUsage: boolean;
  /** The tier of service asked for; null: none, or a format that has none. */
  readonly serviceTier: string | null;
  /** responses only: whether the model may search. */
  readonly mayUseTools: boolean;
  /** Whether what it writes to the cache shall live an hour; only a dialect knows of it. */
  readonly longCacheLife?: true;
}

export interface TextReply {
  readonly requestId: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly text: string;
  readonly pieces: readonly string[];
  readonly finish: 'stop' | 'length';
  readonly usage: TokenUsage;
  /** Output tokens that are reasoning; null: the model does not reason. */
  readonly reasoning: number | null;
  /** Where the count of output that is told leaves that reasoning out. */
  readonly reasoningBeside: boolean;
  /** The tier at which it is served; null: the model has but one. */
  readonly serviceTier: string | null;
  /** What the model searched for before it answered. */
  readonly searches: readonly string[];
  readonly includeUsage: boolean;
  /** chat only: the chunk of a stream that tells the usage. */
  readonly usagePlace: Readings['stream_usage_place'];
}

/** Reasoning tokens as told: never more than the output that is told. */
export function toldReasoning({ reasoning, usage }: TextReply): number {
  return Math.min(reasoning ?? 0, usage.output);
}

/** Output tokens as told. */
export function toldOutput(reply: TextReply): number {
  return reply.usage.output - (reply.reasoningBeside ? toldReasoning(reply) : 0);
}

/** Stream events as they go over the wire, blank line included. */
export interface StreamEvents {
  /** Before the first text. */
  readonly opening: readonly string[];
  /** The event of a piece; `index` counts from 0. */
  delta(piece: string, index: number): string;
  /** After the last text; the last of them is the terminator. Made when they are asked for. */
  closing(): readonly string[];
}

export interface TextFormat {
  readonly kind: ChargedKind;
  readonly endpoint: ChargedEndpoint;
  /** Throws ApiError 400. */
  read(body: unknown): TextRequest;
  whole(reply: TextReply): object;
  events(reply: TextReply): StreamEvents;
}
