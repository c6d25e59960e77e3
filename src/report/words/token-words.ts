import type { LoadResult } from '../../contracts/load-result.ts';

/** Says who counted the output tokens, and of how many answers; null where nobody asked or no text was answered. */
export function tokenWords({ output_tokens: tokens }: Pick<LoadResult, 'output_tokens'>): string | null {
  if (tokens === undefined || tokens.of === 0) return null;
  const { by, known, of } = tokens;
  const isServer = by === 'server';
  if (known === 0) {
    return isServer
      ? 'tokens unknown: no answer told its usage'
      : `tokens unknown: no kept text of an answer could be counted by ${by}`;
  }
  const who = isServer ? "by the server's usage" : `by ${by}, of the kept texts`;
  return `output tokens: ${who}${known === of ? '' : `, known of ${known} of ${of} answers`}`;
}
