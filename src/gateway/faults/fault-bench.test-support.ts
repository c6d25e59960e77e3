import { expect } from 'vitest';
import * as z from 'zod';
import type { UsageRecord } from '../../contracts/interface.ts';
import type { JournalCall, JournalFault, JournalLine } from '../../contracts/journal.ts';
import type { TextKind } from '../../core/call-kind.ts';
import { startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import type { FaultEntry } from './fault-plan.ts';
import { type RawAnswer, type RawRequest, rawPost } from './raw-answer.test-support.ts';
import { type SentEvent, sentEvents, terminators, textPieces } from './sent-events.test-support.ts';

const TEXT_PATHS = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
} as const;

export interface Trial {
  readonly fault: string;
  readonly parameters?: FaultEntry['parameters'];
  readonly kind: TextKind;
  /** Over a small streamed request. */
  readonly over?: object;
  /** Messages before the prompt, in the formats that have messages. */
  readonly history?: readonly object[];
  readonly leave?: RawRequest['leave'];
}

/** One call of a trial: what came, and what the gateway wrote down. */
export interface TriedCall {
  readonly raw: RawAnswer;
  readonly events: readonly SentEvent[];
  readonly pieces: readonly string[];
  readonly text: string;
  readonly terminators: number;
  readonly record: UsageRecord;
  readonly journal: JournalCall;
}

export interface TriedFault {
  /** The call that the fault hit. */
  readonly hit: TriedCall;
  /** The same call right after it, without the fault. */
  readonly right: TriedCall;
  /** The journal line of the fault. */
  readonly fault: JournalFault;
}

const lines = z.object({ lines: z.array(z.custom<JournalLine>((line) => typeof line === 'object')) });
const page = z.object({ data: z.array(z.custom<UsageRecord>((value) => typeof value === 'object')) });

/** One gateway that tries faults one after the other. */
export class FaultBench {
  readonly gateway: TestGateway;
  #trials = 0;

  private constructor(gateway: TestGateway) {
    this.gateway = gateway;
  }

  static async start(): Promise<FaultBench> {
    return new FaultBench(await startTestGateway());
  }

  close(): Promise<void> {
    return this.gateway.running.close();
  }

  /**
   * The same call twice, hit by the fault and then not. The fault must have its one line in the journal, which names
   * the request; the second call must be whole and without a line.
   */
  async try(trial: Trial): Promise<TriedFault> {
    const { fault, parameters = {} } = trial;
    const marker = await this.#plan(trial);
    const { leave: _leave, ...staying } = trial;
    const raws = [await this.#send(trial, marker), await this.#send(staying, marker)];
    const [hit, right] = await this.#written(trial, marker, raws);
    if (hit === undefined || right === undefined) throw new Error('a call is missing');
    const fired = (await this.#journal()).filter((line) => line.type === 'fault');
    const own = fired.filter((line) => line.request_id === hit.journal.request_id);
    expect(own).toMatchObject([{ fault, ordinal: 1, parameters }]);
    expect(fired.filter((line) => line.request_id === right.journal.request_id)).toEqual([]);
    expect(right.raw).toMatchObject({ status: 200, complete: true, end: 'fin' });
    expect(right.record).toMatchObject({ ...WHOLE, request_id: right.raw.headers['x-request-id'] });
    if (isStream(trial)) {
      expect(right.terminators).toBe(1);
      expect(right.pieces).not.toEqual([]);
    }
    // The bench's faults book nothing twice: what the journal says was charged is what the record says.
    expect(hit.journal.amount).toBe(hit.record.amount);
    const [line] = own;
    if (line === undefined) throw new Error('no line');
    return { hit, right, fault: line };
  }

  /** One call with the fault in the plan, whether it acts or not. */
  async call(trial: Trial): Promise<TriedCall> {
    const marker = await this.#plan(trial);
    const [call] = await this.#written(trial, marker, [await this.#send(trial, marker)]);
    if (call === undefined) throw new Error('the call is missing');
    return call;
  }

  /** One call with the fault in the plan that may not end by itself. */
  async stalled(trial: Trial): Promise<RawAnswer> {
    return await this.#send(trial, await this.#plan(trial));
  }

  /** How many lines of faults the journal has. */
  async faultLines(): Promise<number> {
    return (await this.#journal()).filter((line) => line.type === 'fault').length;
  }

  /** Puts the fault into the plan; the marker of its calls. */
  async #plan({ fault, parameters = {} }: Trial): Promise<string> {
    const plan = { faults: [{ fault, when: { nth: 1 }, ...(needs(parameters) ? { parameters } : {}) }] };
    expect((await this.gateway.control('PUT', '/faults', plan)).status).toBe(200);
    this.#trials += 1;
    return `wb${this.#trials.toString(16).padStart(16, '0')}`;
  }

  #send(trial: Trial, marker: string): Promise<RawAnswer> {
    const { base_url, api_key } = this.gateway.running.ready;
    const { kind, leave } = trial;
    return rawPost({
      url: base_url + TEXT_PATHS[kind],
      headers: { authorization: `Bearer ${api_key}` },
      body: requestBody(trial, marker),
      ...(leave === undefined ? {} : { leave }),
    });
  }

  /** What the gateway wrote down of the calls of a trial, in their order, once all have ended. */
  async #written({ kind }: Trial, marker: string, raws: readonly RawAnswer[]): Promise<TriedCall[]> {
    const isOfTrial = (line: JournalLine): line is JournalCall =>
      line.type === 'call' && line.marker === marker;
    let calls: JournalCall[] = [];
    const ended = async (): Promise<number> => {
      calls = (await this.#journal()).filter(isOfTrial);
      return calls.length;
    };
    await expect.poll(ended, { interval: 5 }).toBe(raws.length);
    calls.sort((left, right) => (left.received_at < right.received_at ? -1 : 1));
    const newest = `/v1/usage/requests?limit=${raws.length}`;
    const records = page.parse((await this.gateway.call('GET', newest)).json).data;
    return raws.map((raw, index) => {
      const journal = calls[index];
      const record = records.find(({ request_id }) => request_id === journal?.request_id);
      if (journal === undefined || record === undefined) throw new Error(`no record of call ${index}`);
      const events = sentEvents(raw.body);
      const pieces = textPieces(kind, events);
      const text = pieces.join('');
      return { raw, events, pieces, text, terminators: terminators(kind, events), record, journal };
    });
  }

  async #journal(): Promise<JournalLine[]> {
    return lines.parse((await this.gateway.control('GET', '/journal')).json).lines;
  }
}

/** The record of a call that was carried out whole. */
export const WHOLE = { billing_status: 'settled', result: 'completed', usage_estimated: false };
/** The record of a call that is charged by what was written of it. */
export const BY_WRITTEN = { billing_status: 'settled', result: 'incomplete', usage_estimated: true };
/** The record of a call that is not charged. */
export const GIVEN_BACK = { billing_status: 'refunded', result: 'failed', amount: '0' };

function needs(parameters: FaultEntry['parameters']): boolean {
  return Object.keys(parameters).length > 0;
}

function isStream({ over = {} }: Trial): boolean {
  return !('stream' in over) || over.stream === true;
}

function requestBody({ kind, over, history = [] }: Trial, marker: string): object {
  const prompt = `${marker} tell of the harbor`;
  const messages = [...history, { role: 'user', content: prompt }];
  const base = { model: 'aspen-mini', stream: true };
  if (kind === 'responses') return { ...base, input: prompt, max_output_tokens: 6, ...over };
  return { ...base, messages, max_tokens: 6, ...over };
}
