import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { SeededRandom } from '../../src/core/seeded-random.ts';
import { LedgerSink } from '../../src/ledger/ledger-sink.ts';
import type { RecordedStart } from '../../src/record/answer-row.ts';
import { CallRecorder, intentOf } from '../../src/record/call-recorder.ts';
import { failureKind } from '../../src/record/failure-kind.ts';
import { requestFacts } from '../../src/record/request-facts.ts';
import { TaskWatch } from '../../src/record/task-watch.ts';
import { SecretMask } from '../../src/secrets/secret-mask.ts';
import { jsonOf } from '../../src/text/json-of.ts';
import { asObject } from '../../src/wire/json-fields.ts';
import { readUsage } from '../../src/wire/token-usage.ts';
import { bodyOf, PATHS, type PlannedCall } from './planned-call.ts';

const RUN = 'bench';
const CHARACTERS_PER_TOKEN = 4;
const POLL_MS = 40;
const NO_MASK = new SecretMask([], '');
/** Longer than any task of the fast latency takes. */
const PATIENCE_MS = 1500;

const GIVEN_UP = { outcome: 'timeout_task', error_type: 'timeout_task', error_code: null } as const;

export interface DriverOptions {
  readonly base: string;
  readonly apiKey: string;
  /** Folder of the ledger. */
  readonly dir: string;
  /** Of the call with this number: what is asked must not hang on which lane is quicker. */
  readonly random: (call: number) => SeededRandom;
}

interface Sent {
  readonly start: RecordedStart;
  readonly ok: boolean;
  readonly body: unknown;
}

/** Makes calls and writes their rows by the means of `weighbridge/record`, but that it gives tasks up itself. */
export class CallDriver {
  readonly #options: DriverOptions;
  readonly #sink: LedgerSink;
  readonly #tasks = new TaskWatch();
  readonly #keyFp: string;
  #started = 0;
  #planned = 0;

  constructor(options: DriverOptions) {
    this.#options = options;
    this.#keyFp = createHash('sha256').update(options.apiKey).digest('hex').slice(0, 16);
    this.#sink = new LedgerSink({
      dir: options.dir,
      run: RUN,
      instance: 'b0',
      keyFp: this.#keyFp,
      version: 'bench',
    });
  }

  /** Makes the calls in so many lanes, each lane one after the other. */
  async drive(calls: readonly PlannedCall[], lanes: number): Promise<void> {
    const waiting = calls.entries();
    const before = this.#planned;
    this.#planned += calls.length;
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        for (const [index, call] of waiting) await this.#make(call, this.#options.random(before + index));
      }),
    );
  }

  /** Ends the ledger; tasks that are still open count as waited for in vain. */
  close(): void {
    this.#tasks.endAll(GIVEN_UP, performance.now());
    this.#sink.close();
  }

  async #make(call: PlannedCall, random: SeededRandom): Promise<void> {
    const { shape } = call;
    let longer = 0;
    if (shape.context !== undefined) {
      const { context, ...free } = shape;
      const { body } = await this.#send(
        { shape: free, faults: null },
        JSON.stringify(bodyOf(free, random)),
        null,
      );
      const used =
        shape.kind === 'image' || shape.kind === 'image_job' || shape.kind === 'video' ? null : shape.kind;
      const told = used === null ? null : readUsage(used, asObject(body)?.['usage']);
      longer = (context - (told?.input ?? context)) * CHARACTERS_PER_TOKEN;
    }
    const body = JSON.stringify(bodyOf(shape, random, longer));
    const first = await this.#send(call, body, null);
    if (!first.ok && call.retried === true) await this.#send({ shape, faults: null }, body, first.start);
  }

  async #send(call: PlannedCall, body: string, before: RecordedStart | null): Promise<Sent> {
    const { base, apiKey } = this.#options;
    const start = this.#start(call, body, before);
    this.#sink.write(intentOf(start));
    const recorder = new CallRecorder(start, this.#sink, this.#tasks);
    const leave = new AbortController();
    let response: Response;
    try {
      response = await fetch(base + start.path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          ...(call.faults === null ? {} : { 'x-weighbridge-fault': call.faults }),
        },
        body,
        signal: leave.signal,
      });
    } catch (error) {
      recorder.end(failureKind(error, leave.signal), performance.now());
      return { start, ok: false, body: null };
    }
    recorder.answered(response, performance.now());
    const chunks: Uint8Array[] = [];
    let failure = null;
    try {
      for await (const chunk of response.body ?? []) {
        recorder.piece(chunk, performance.now());
        chunks.push(chunk);
        if (chunks.length === call.leaves) leave.abort();
      }
    } catch (error) {
      failure = failureKind(error, leave.signal);
    }
    recorder.end(failure, performance.now());
    const told = jsonOf(Buffer.concat(chunks).toString());
    if (response.ok && failure === null) await this.#follow(call, told);
    return { start, ok: response.ok && failure === null, body: told };
  }

  #start({ shape }: PlannedCall, body: string, before: RecordedStart | null): RecordedStart {
    this.#started += 1;
    const place =
      before === null
        ? { logical_id: `b0/${this.#started}`, attempt: 1 }
        : { logical_id: before.logical_id, attempt: before.attempt + 1 };
    return {
      run: RUN,
      instance: 'b0',
      ...place,
      call_id: `${place.logical_id}/${place.attempt}`,
      kind: shape.kind,
      path: PATHS[shape.kind],
      // The model's name as planned: of odd names a recorded row keeps none.
      request: { ...requestFacts(shape.kind, body), model: shape.model },
      key_fp: this.#keyFp,
      prefixes: () => null,
      mask: NO_MASK,
      wall_ms: Date.now(),
      mono_ms: performance.now(),
    };
  }

  /** Asks for a task until it is over. */
  async #follow({ shape: { kind } }: PlannedCall, told: unknown): Promise<void> {
    if (kind !== 'image_job' && kind !== 'video') return;
    const id = asObject(told)?.[kind === 'video' ? 'id' : 'job_id'];
    if (typeof id !== 'string') return;
    const { base, apiKey } = this.#options;
    const path = kind === 'video' ? `/v1/videos/${id}` : `/v1/images/jobs/${id}`;
    const until = performance.now() + PATIENCE_MS;
    while (this.#tasks.follows(id) && performance.now() < until) {
      await wait(POLL_MS);
      const answer = await fetch(base + path, { headers: { authorization: `Bearer ${apiKey}` } });
      this.#tasks.see(id, jsonOf(await answer.text()), answer.status, performance.now());
    }
  }
}
