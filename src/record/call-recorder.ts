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

/** Hears of a body while its reader reads it; nothing is read before the reader asks. */
interface BodyTap {
  piece(chunk: Uint8Array): void;
  /** The body ended by itself (null), its reader gave it up, or it broke. Called once. */
  end(how: null | 'cancelled' | { readonly error: unknown }): void;
}

/** Bodies that were dropped without being read to their end. */
const dropped = new FinalizationRegistry<BodyTap>((tap) => tap.end('cancelled'));

/**
 * The same response with its body passed through `tap`, piece by piece as it is asked for: `clone()` would
 * hold whatever
 * one of two readers has not read yet. A response without a body, or that cannot be built again, is handed
 * back as it is, after
 * its end is told. The tap never fails: what it throws is its own matter.
 */
export function tapped(response: Response, tap: BodyTap): Response {
  const { body, status } = response;
  if (body === null || status < 200 || status > 599 || [204, 205, 304].includes(status)) {
    tap.end(null);
    return response;
  }
  const once = oneEnd(tap);
  let source: Source | null = null;
  const through = throughTap(() => source, once);
  const copy = new Response(through, { status, statusText: response.statusText, headers: response.headers });
  for (const name of ['url', 'redirected', 'type'] as const)
    Object.defineProperty(copy, name, { value: response[name], enumerable: true });
  // Last: up to here the response can still be handed back as it came.
  source = body.getReader();
  dropped.register(through, once, once);
  // An abort breaks the source at once, also where nobody reads on.
  source.closed.catch((error: unknown) => once.end({ error }));
  return copy;
}

type Source = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

function throughTap(sourceOf: () => Source | null, tap: BodyTap): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      async pull(controller): Promise<void> {
        try {
          const read = await sourceOf()?.read();
          if (read === undefined || read.done) {
            tap.end(null);
            controller.close();
            return;
          }
          tap.piece(read.value);
          controller.enqueue(read.value);
        } catch (error) {
          tap.end({ error });
          controller.error(error);
        }
      },
      async cancel(reason: unknown): Promise<void> {
        tap.end('cancelled');
        await sourceOf()?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function oneEnd(tap: BodyTap): BodyTap {
  let ended = false;
  const once: BodyTap = {
    piece: (chunk) => {
      if (!ended) tap.piece(chunk);
    },
    end: (how) => {
      if (ended) return;
      ended = true;
      dropped.unregister(once);
      tap.end(how);
    },
  };
  return once;
}
