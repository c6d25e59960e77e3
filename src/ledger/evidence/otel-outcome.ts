import type { EvidenceCall } from './evidence-call.ts';
import type { Attributes } from './otel-attributes.ts';

interface Status {
  readonly code?: string | number | null | undefined;
  readonly status_code?: string | null | undefined;
}

/**
 * What became of a call by its span. A span ends without an error also where nobody read the answer to its
 * end: only one
 * that tells why the model stopped, or how much it wrote, is ok. With neither, nothing is certain.
 */
export function outcomeOf(
  status: Status | null | undefined,
  attributes: Attributes,
  output: number | null,
): Pick<EvidenceCall, 'outcome' | 'status' | 'error_type'> {
  const error = attributes.text('error.type');
  const told = attributes.count('http.response.status_code') ?? statusIn(error);
  const code = status?.code ?? status?.status_code ?? null;
  const failed = error !== null || code === 2 || code === '2' || /ERROR$/.test(String(code));
  if (told !== null && told >= 400 && told <= 599) return { outcome: 'http_error', status: told };
  if (failed)
    return { outcome: /time.?out/i.test(error ?? '') ? 'timeout_total' : 'net_error', status: told };
  const ended = output !== null || attributes.texts('gen_ai.response.finish_reasons').length > 0;
  return { outcome: ended ? 'ok' : 'interrupted', status: told };
}

/** Some instrumentations give the status as the type of the error. */
function statusIn(error: string | null): number | null {
  return error !== null && /^[45]\d\d$/.test(error) ? Number(error) : null;
}
