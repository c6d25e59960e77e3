import type { CallUsage } from '../../contracts/ledger-lines.ts';
import { BLAME_OF, type ErrorType, type Outcome } from '../../contracts/outcome.ts';
import type { EventStreamResult } from '../event-stream.ts';
import type { Broken } from './broken-call.ts';
import type { AnswerRule, AnswerVerdict, ContentFacts } from './paid-result.ts';
import type { StreamReading } from './stream-reading.ts';

/** What an answer told, and what is to be thought of it; foreign texts may still hold the key. */
export interface AnswerJudgement {
  readonly outcome: Outcome;
  readonly error_type: ErrorType;
  readonly message: string;
  readonly error_code: string;
  readonly api_error_type: string;
  /** Request ids that the body names. */
  readonly request_ids: readonly string[];
  readonly text: EventStreamResult | null;
  readonly usage: CallUsage | null;
  readonly stream: StreamReading | null;
  readonly content: ContentFacts | null;
  /** Of fetched bytes. */
  readonly sha256: string | null;
  /** Where the image of the answer is. */
  readonly link: string | null;
  /** The document of an answer that is one. */
  readonly document: unknown;
  /** Where ids may stand: that document, the first event of a stream, or the body of a refusal. */
  readonly opening: unknown;
  readonly broken_rules: readonly AnswerRule[];
}

const NOTHING: Omit<AnswerJudgement, 'outcome' | 'error_type'> = {
  message: '',
  error_code: '',
  api_error_type: '',
  request_ids: [],
  text: null,
  usage: null,
  stream: null,
  content: null,
  sha256: null,
  link: null,
  document: undefined,
  opening: undefined,
  broken_rules: [],
};

export function judged(
  outcome: Outcome,
  error_type: ErrorType,
  told: Partial<Omit<AnswerJudgement, 'outcome' | 'error_type'>> = {},
): AnswerJudgement {
  return { ...NOTHING, opening: told.document, ...told, outcome, error_type };
}

/** An answer that claims success and is not what the interface says. */
export function notExpected(message: string, told: Partial<AnswerJudgement> = {}): AnswerJudgement {
  return judged('bad_response', 'schema_mismatch', { ...told, message });
}

export function judgedBroken(
  { outcome, error_type, message }: Broken,
  told: Partial<AnswerJudgement> = {},
): AnswerJudgement {
  return judged(outcome, error_type, { ...told, message });
}

/** An empty answer that ended well is `ok` in a ledger, where the reconciler asks what it cost; a probe wants content. */
export function verdictOf(error_type: ErrorType, rules: readonly AnswerRule[]): AnswerVerdict {
  const type = error_type === 'none' && rules.includes('empty_content') ? 'assertion' : error_type;
  return { error_type: type, blame: BLAME_OF[type] };
}
