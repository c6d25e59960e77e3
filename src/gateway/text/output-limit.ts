import type { TextRequest } from '../formats/text-format.ts';
import { invalidRequest } from '../http/api-error.ts';
import type { TextModel } from '../models/model.ts';

/** What is held for a request that sets no limit, and its limit. */
const DEFAULT_MAX_TOKENS = 4096;

/** Output tokens that the call may have; throws ApiError 400 for a limit or a prompt that the model cannot take. */
export function outputLimit(asked: TextRequest, model: TextModel, promptTokens: number): number {
  const { context_window, max_output_tokens } = model;
  const room = context_window - promptTokens;
  const limit = asked.maxTokens ?? Math.min(DEFAULT_MAX_TOKENS, max_output_tokens, room);
  if (limit > max_output_tokens) {
    throw invalidRequest(
      `The limit of ${limit} output tokens is above the ${max_output_tokens} that the model supports`,
    );
  }
  if (limit > room || limit < 1) {
    throw invalidRequest(
      `The prompt of ${room < 0 ? `more than ${context_window}` : promptTokens} tokens and its output do not fit into the model's context of ${context_window} tokens`,
      'context_length_exceeded',
    );
  }
  return limit;
}
