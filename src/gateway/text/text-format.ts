import type { PaidKind } from '../../core/call-kind.ts';
import type { TokenUsage } from '../charging/token-usage.ts';
import type { PaidEndpoint } from '../server/endpoints.ts';
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
  readonly includeUsage: boolean;
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
  readonly kind: PaidKind;
  readonly endpoint: PaidEndpoint;
  /** Throws ApiError 400. */
  read(body: unknown): TextRequest;
  whole(reply: TextReply): object;
  events(reply: TextReply): StreamEvents;
}
