import type { Intent } from '../contracts/ledger-lines.ts';
import { INTENT_SCHEMA } from '../contracts/schema-names.ts';
import { isTextKind } from '../core/call-kind.ts';
import { formatInstant } from '../core/time.ts';
import { asName, asObject } from '../wire/json-fields.ts';
import type { AnswerReader } from './answer-reader.ts';
import { answerRow, type CallEnd, judgeRecordedAnswer, type RecordedStart } from './answer-row.ts';
import type { FailureKind } from './failure-kind.ts';
import { StreamReader } from './paid-route.ts';
import { PlainReader } from './plain-reader.ts';
import type { TaskWatch } from './task-watch.ts';

/** Where lines go; a line that cannot be written is the sink's to count. */
export interface RowSink {
  write(line: object): void;
}

/** The line that stands before a call is sent. */
export function intentOf(start: RecordedStart): Intent {
  const { request } = start;
  return {
    schema: INTENT_SCHEMA,
    run_id: start.run,
    instance: start.instance,
    call_id: start.call_id,
    logical_id: start.logical_id,
    attempt: start.attempt,
    kind: start.kind,
    // The row keeps none of an odd name: its record is found by the intent.
    model: start.mask.name(request.model ?? ''),
    key_fp: start.key_fp,
    at: formatInstant(start.wall_ms),
    worst_case_usd: null,
    prompt_bytes: request.prompt_bytes,
    max_tokens: request.max_tokens,
    units: request.units,
    watermark: null,
  };
}

/** Follows one call from its answer's headers to its row. */
export class CallRecorder {
  readonly #start: RecordedStart;
  readonly #sink: RowSink;
  readonly #tasks: TaskWatch;
  #reader: AnswerReader | null = null;
  #status: number | null = null;
  #headers: Headers | null = null;
  #headersAt: number | null = null;
  #isStream = false;
  #bytes = 0;
  #chunks = 0;

  constructor(start: RecordedStart, sink: RowSink, tasks: TaskWatch) {
    this.#start = start;
    this.#sink = sink;
    this.#tasks = tasks;
  }

  answered(response: Response, at: number): void {
    const { kind } = this.#start;
    this.#status = response.status;
    this.#headers = response.headers;
    this.#headersAt = at;
    const type = response.headers.get('content-type') ?? '';
    this.#isStream = /^\s*text\/event-stream\s*(;|$)/i.test(type) && isTextKind(kind) && response.ok;
    this.#reader = this.#isStream && isTextKind(kind) ? new StreamReader(kind) : new PlainReader(kind);
  }

  piece(chunk: Uint8Array, at: number): void {
    this.#bytes += chunk.byteLength;
    this.#chunks += 1;
    this.#reader?.feed(chunk, at);
  }

  /** Writes the row; that of an accepted task waits for what becomes of it. */
  end(failure: FailureKind | null, at: number): void {
    const facts = this.#reader?.facts() ?? null;
    const end: CallEnd = {
      status: this.#status,
      headers: this.#headers,
      headers_at: this.#headersAt,
      end_at: at,
      facts,
      isStream: this.#isStream,
      bytes_in: this.#bytes,
      chunks: this.#chunks,
      failure,
      job: null,
    };
    this.#reader = null;
    const judged = judgeRecordedAnswer(this.#askedForStream(end) ? { ...end, facts: null } : end);
    const id = judged.outcome === 'ok' ? this.#taskId(facts?.document) : null;
    if (id === null) {
      this.#sink.write(answerRow(this.#start, end, judged));
      return;
    }
    const document = facts?.document;
    const known = facts === null ? null : { ...facts, document: undefined };
    this.#tasks.accept(id, document, at, (job, became, endAt) =>
      this.#sink.write(answerRow(this.#start, { ...end, facts: known, job, end_at: endAt }, became)),
    );
  }

  /**
   * A stream was asked for and something else came with a 2xx: whatever it says, that is no answer to the
   * call.
   */
  #askedForStream(end: CallEnd): boolean {
    const ok = end.status !== null && end.status >= 200 && end.status < 300;
    return ok && this.#start.request.stream && !end.isStream;
  }

  #taskId(document: unknown): string | null {
    switch (this.#start.kind) {
      case 'image_job':
      case 'image_edit_job':
        return asName(asObject(document)?.['job_id']);
      case 'video':
        return asName(asObject(document)?.['id']);
      default:
        return null;
    }
  }
}
