import { NO_TOKENS, type TokenUsage } from '../../events/charge-record.ts';
import type { TextFormat, TextReply } from '../../formats/text-format.ts';
import type { CutText } from '../../hooks/dialect.ts';
import { isClaude } from './ratios.ts';

/** Tokens of a hundred words, as such a gateway guesses them: near half more than there are. */
const TOKENS_PER_100_WORDS = 144;

function guessedTokens(text: string): number {
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  return Math.ceil((words * TOKENS_PER_100_WORDS) / 100);
}

/**
 * What a stream that was cut is charged by: a guess from its words. A provider of the messages format told its input at the
 * start, so that stays; for others the prompt is guessed too, and no cache is known of. A response without a word costs nothing, and leaves its row.
 */
export function cutUsage({ kind, model, prompt, usage, text }: CutText): TokenUsage {
  const output = guessedTokens(text);
  if (isClaude(model)) return { ...usage, output: Math.max(1, output) };
  if (kind === 'responses' && text === '') return NO_TOKENS;
  return { input: guessedTokens(prompt), output, cacheRead: 0, cacheWrite: 0 };
}

const DONE = 'data: [DONE]\n\n';

/**
 * What is written where a provider ended its stream too early. Chat: usage and `[DONE]`, and no chunk had a finish reason.
 * Responses of a provider of the messages format: completed, as if whole. Else the stream just ends.
 */
export function cutEnding(format: TextFormat, soFar: TextReply, claude: boolean): readonly string[] {
  if (format.kind === 'chat') {
    const told = { ...soFar, includeUsage: true, usagePlace: 'last_chunk' } as const;
    return format.events(told).closing().slice(1);
  }
  if (format.kind !== 'responses' || !claude) return [];
  const closing = format.events({ ...soFar, finish: 'stop' }).closing();
  return [...closing.slice(-1), DONE];
}
