import type { Intent } from '../../contracts/ledger-lines.ts';
import { INTENT_SCHEMA } from '../../contracts/schema-names.ts';
import { callIdOf, logicalIdOf } from '../../core/call-id.ts';
import { markerOf } from '../../core/marker.ts';
import { formatInstant } from '../../core/time.ts';
import { utf8Length } from '../../workload/call-plan.ts';
import { type Answered, CallSender, type CallSenderOptions, type SentCall } from './call-sender.ts';
import { type FetchOptions, fetchLink } from './fetch-link.ts';
import type { ExpectedAnswer } from './judge-answer.ts';
import { verdictOf } from './judgement.ts';
import type { CallToSend, ImageCall, OpenTask, TaskCall, TextCall } from './paid-call.ts';
import { type PaidRequest, paidRequest } from './paid-request.ts';
import type { PaidResult, SubmittedTask, TaskContent, TaskState } from './paid-result.ts';
import { resultOfCall } from './result-of-call.ts';
import { fetchedEnd } from './task-end.ts';
import { endedRow, submittedTask, TaskReads } from './task-reads.ts';

export interface PaidClientOptions extends CallSenderOptions, FetchOptions {}

/**
 * Calls that may be charged, and the free reads that follow them. Each is sent once, over a connection of its own, and
 * never again, whatever comes of it. What the target does is data in the result; only our own misuse throws.
 */
export class PaidClient {
  readonly #options: PaidClientOptions;
  readonly #sender: CallSender;
  readonly #reads: TaskReads;
  readonly #over = new AbortController();
  readonly #open = new Set<Promise<unknown>>();

  constructor(options: PaidClientOptions) {
    this.#options = options;
    this.#sender = new CallSender(options);
    this.#reads = new TaskReads(this.#sender, options);
  }

  /** The line that must be with the operating system before the call is made. */
  intent(call: CallToSend): Intent {
    const { request, prompt, callId } = this.#prepare(call);
    return {
      schema: INTENT_SCHEMA,
      run_id: this.#options.runId,
      instance: this.#options.instance,
      call_id: callId,
      logical_id: logicalIdOf(call.name),
      attempt: 1,
      kind: call.kind,
      model: call.model,
      key_fp: this.#sender.fingerprint(),
      at: formatInstant(this.#sender.clock.wallMs()),
      worst_case_usd: call.worst_case_usd,
      prompt_bytes: utf8Length(prompt),
      max_tokens: request.max_tokens,
      units: request.units,
      watermark: null,
    };
  }

  /** Of the three formats, streamed or not. */
  async text(call: TextCall, signal: AbortSignal): Promise<PaidResult> {
    const { kind, stream, auth } = call;
    const { row, seen, told } = await this.#send(call, { what: 'text', kind, stream }, auth, signal);
    return resultOfCall(row, seen, told);
  }

  /** A picture at once, whose bytes are checked. Without the one behind its link it is no success, though it is charged. */
  async image(call: ImageCall, signal: AbortSignal): Promise<PaidResult> {
    const asked = call.response_format;
    const answered = await this.#send(call, { what: 'images', asked }, 'bearer', signal);
    const result = resultOfCall(answered.row, answered.seen, answered.told);
    const { link } = answered.told;
    if (answered.told.outcome !== 'ok' || link === null) return result;
    const { call_id, logical_id, scenario, model } = answered.row;
    const paid = { call_id, logical_id, scenario, model };
    const fetched = await this.#track(
      fetchLink(
        this.#sender,
        this.#options,
        paid,
        { link, what: 'picture', read: 1, timeouts: call.timeouts },
        this.#untilOver(signal),
      ),
    );
    const end = fetchedEnd(fetched.end, fetched.rows);
    const row = end.outcome === 'ok' ? result.row : endedRow(result.row, end);
    const broken_rules = [...result.broken_rules, ...fetched.broken_rules];
    return {
      ...result,
      row,
      free_rows: fetched.rows,
      content: fetched.content ?? result.content,
      broken_rules,
      verdict: verdictOf(row.error_type, broken_rules),
    };
  }

  /** Creates a task, once. */
  async submitTask(call: TaskCall, signal: AbortSignal): Promise<SubmittedTask> {
    return submittedTask(call, await this.#send(call, { what: 'task' }, 'bearer', signal));
  }

  /** Reads the status of a task, once. */
  pollTask(task: OpenTask, signal: AbortSignal): Promise<TaskState> {
    return this.#track(this.#reads.poll(task, this.#untilOver(signal)));
  }

  /** Fetches the content of a task, once; its bytes are counted and checked, not kept. */
  downloadTask(task: OpenTask, signal: AbortSignal): Promise<TaskContent> {
    return this.#track(this.#reads.download(task, this.#untilOver(signal)));
  }

  /** Ends what is under way, whose results say `interrupted`. */
  async close(): Promise<void> {
    this.#over.abort();
    await Promise.allSettled(this.#open);
  }

  #send(
    call: CallToSend,
    expected: ExpectedAnswer,
    auth: SentCall['auth'],
    signal: AbortSignal,
  ): Promise<Answered> {
    const { request, prompt, callId } = this.#prepare(call);
    const { runId, instance, bases } = this.#options;
    const sent: SentCall = {
      start: {
        run_id: runId,
        instance,
        call_id: callId,
        logical_id: logicalIdOf(call.name),
        scenario: call.name.scenario,
        iteration: call.name.n,
        turn: call.name.turn,
        kind: call.kind,
        method: 'POST',
        path: request.path,
        stream: request.stream,
        model: call.model,
        max_tokens: request.max_tokens,
        prompt_bytes: utf8Length(prompt),
        units: request.units,
        worst_case_usd: call.worst_case_usd,
      },
      url: new URL(`${bases.root}${request.path}`),
      headers: request.headers,
      body: request.body,
      auth,
      timeouts: call.timeouts,
      expected,
    };
    return this.#track(this.#sender.send(sent, this.#untilOver(signal)));
  }

  #prepare(call: CallToSend): {
    readonly request: PaidRequest;
    readonly prompt: string;
    readonly callId: string;
  } {
    const { runId, instance } = this.#options;
    const callId = callIdOf(instance, call.name, 1);
    // A plan has a nonce of its own; here the run's id is what no other run has.
    const marker = markerOf(runId, callId);
    const prompt = call.cached === true ? `${call.prompt} ${marker}` : `${marker} ${call.prompt}`;
    return { request: paidRequest(call, prompt), prompt, callId };
  }

  #untilOver(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#over.signal]);
  }

  async #track<T>(work: Promise<T>): Promise<T> {
    this.#open.add(work);
    try {
      return await work;
    } finally {
      this.#open.delete(work);
    }
  }
}
