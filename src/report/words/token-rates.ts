import type { KindResult } from '../../contracts/load-result.ts';
import { isTextKind } from '../../core/call-kind.ts';
import { ABSENT, rateText } from './figure-text.ts';

/** Output tokens per second of a kind, in all and of a stream: those that a text answer does not tell are unknown. */
export function tokenRates({ kind, ok, throughput }: KindResult): readonly [all: string, stream: string] {
  const missing = isTextKind(kind) && ok > 0 ? 'unknown' : ABSENT;
  const { output_tokens = null, per_stream = null } = throughput ?? {};
  return [
    output_tokens === null ? missing : rateText(output_tokens),
    per_stream === null ? ABSENT : rateText(per_stream),
  ];
}

/** Output tokens that answers told, per second of the measured time; a kind without tokens has none. */
export function outputRate({ kind, tokens }: Pick<KindResult, 'kind' | 'tokens'>, seconds: number): string {
  if (!isTextKind(kind) || tokens === null || seconds <= 0) return ABSENT;
  return rateText(tokens.output / seconds);
}
