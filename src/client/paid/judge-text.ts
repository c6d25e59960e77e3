import { createHash } from 'node:crypto';
import { isErrorTypeOf } from '../../contracts/outcome.ts';
import type { TextKind } from '../../core/call-kind.ts';
import { jsonOf } from '../../text/json-of.ts';
import { carriesError, readApiError } from '../../wire/api-error.ts';
import { asObject } from '../../wire/json-fields.ts';
import { eventsOfAnswer, isAnswerShaped } from '../../wire/plain-answer.ts';
import { beginningOf, isHtmlPage, readRefusal } from '../../wire/refusal.ts';
import { createTextStream } from '../../wire/text-stream.ts';
import type { EventStreamResult } from '../event-stream.ts';
import type { Broken } from './broken-call.ts';
import { type AnswerJudgement, judged, judgedBroken, notExpected } from './judgement.ts';
import type { StreamReading } from './stream-reading.ts';

/** Only the format's own complete ending is ok, however the connection closed. */
export function judgeStream(stream: StreamReading, broken: Broken | null): AnswerJudgement {
  const text = stream.result();
  const told = {
    text,
    usage: text.usage,
    stream,
    error_code: text.error_code ?? '',
    api_error_type: text.api_error_type ?? '',
    message: text.error_message ?? '',
  };
  if (text.complete)
    return judged('ok', 'none', {
      ...told,
      broken_rules: stream.contentEvents === 0 ? ['empty_content'] : [],
    });
  if (isErrorTypeOf('stream_error', text.error_type) && text.error_type !== 'stream_empty')
    return judged('stream_error', text.error_type, told);
  if (!stream.terminal && broken !== null) return judgedBroken(broken, told);
  if (text.error_type === 'stream_empty')
    return judged('stream_error', 'stream_empty', { ...told, ...insteadOfEvents(stream.eventless) });
  const message = "the stream ended without the format's own ending";
  return judged('truncated', 'stream_no_terminator', { ...told, message });
}

/** A page or an error object under the type of an event stream: no parser of events tells it. */
function insteadOfEvents(body: string): Partial<AnswerJudgement> {
  if (body.trim() === '') return { message: 'the stream ended without an event' };
  if (isHtmlPage(body)) return { message: `the stream is an HTML page: ${beginningOf(body)}` };
  const refusal = readRefusal(body);
  if (!refusal.shaped) return { message: `the stream holds no event: ${beginningOf(body)}` };
  return {
    message: `the stream is an error object: ${refusal.message}`,
    error_code: refusal.code,
    api_error_type: refusal.type,
    request_ids: refusal.request_ids,
  };
}

/** The one document of an answer that was not streamed. */
export function judgePlainText(kind: TextKind, body: string): AnswerJudgement {
  if (isHtmlPage(body)) return notExpected(`the answer is an HTML page: ${beginningOf(body)}`);
  const document = asObject(jsonOf(body));
  if (document === null) return notExpected(`the answer is no JSON object: ${beginningOf(body)}`);
  const { text, hasContent } = readDocument(kind, document);
  const error = readApiError(document['error']);
  const told = {
    text,
    usage: text.usage,
    document,
    error_code: error.code,
    api_error_type: error.type,
    message: error.message,
    request_ids: carriesError(document['error']) ? readRefusal(body).request_ids : [],
  };
  if (!isAnswerShaped(kind, document))
    return notExpected(error.message || `the answer has not the shape of a ${kind} answer`, told);
  if (text.complete)
    return judged('ok', 'none', { ...told, broken_rules: hasContent ? [] : ['empty_content'] });
  return isErrorTypeOf('stream_error', text.error_type)
    ? judged('stream_error', text.error_type, told)
    : notExpected(`the answer has not the shape of a ${kind} answer`, told);
}

function readDocument(
  kind: TextKind,
  document: Readonly<Record<string, unknown>>,
): { readonly text: EventStreamResult; readonly hasContent: boolean } {
  const stream = createTextStream(kind);
  const hash = createHash('sha256');
  let hasContent = false;
  for (const { type, body } of eventsOfAnswer(kind, document)) {
    const step = stream.event({ type, data: JSON.stringify(body) });
    hasContent ||= step.content;
    hash.update(step.text, 'utf8');
  }
  if (kind === 'chat') stream.event({ type: '', data: '[DONE]' });
  const result = stream.result();
  const text_sha256 = result.out_chars === 0 ? null : hash.digest('hex');
  return { text: { ...result, text_sha256, terminal_seen: false, events: 0 }, hasContent };
}
