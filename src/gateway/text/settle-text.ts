import type { ServedCall } from '../calls/paid-call.ts';
import { textCharge } from '../charging/charge-amount.ts';
import { numberOfRecordId } from '../charging/record-id.ts';
import type { TextExtras } from '../charging/text-extras.ts';
import type { CallResult, TokenUsage } from '../events/charge-record.ts';
import type { WornDialect } from '../hooks/dialect.ts';
import { ApiError } from '../http/api-error.ts';
import type { ChargedKind } from '../http/endpoints.ts';
import type { TextModel } from '../models/model.ts';
import type { RoundingRule } from '../prices/rounding-rule.ts';
import type { Readings } from '../readings/readings.ts';
import { countTokens } from '../tokens/count-tokens.ts';

/** A text call whose reply is written, and what it is charged by. */
export interface ChargedText {
  readonly gateway: { readonly readings: Readings; readonly dialect: WornDialect | null };
  readonly call: ServedCall;
  readonly model: TextModel;
  readonly rule: RoundingRule;
  readonly extras: TextExtras;
  readonly usage: TokenUsage;
  readonly kind: ChargedKind;
  readonly prompt: string;
  readonly stream: boolean;
}

export function settleWhole(work: ChargedText, result: CallResult = 'completed'): void {
  const { call, model, rule, extras, usage } = work;
  if (givenBack(call)) {
    call.refund('failed', { ...usage, output: 0 });
    return;
  }
  const amount = textCharge(model, usage, rule, extras);
  call.settle({ amount, usage, result, estimated: false });
}

/** Whether a fault made the call one that failed and is not charged. */
export function givenBack({ faults }: ServedCall): boolean {
  return faults.armed.some(({ hooks }) => hooks.refunds?.() ?? false);
}

/**
 * A call that did not reach its end is charged by the text that was written, and by what came before it: the reasoning
 * and the searches. Without text, nothing is charged, unless the readings charge a call that its client left.
 */
export function settleWritten(work: ChargedText, text: string, result: CallResult): void {
  const { gateway, call, model, rule, extras, usage, kind, prompt } = work;
  const counted = work.stream ? gateway.dialect?.cutUsage?.({ kind, model, prompt, usage, text }) : undefined;
  if (counted !== undefined) {
    const amount = textCharge(model, counted, rule, extras);
    call.settle({ amount, usage: counted, result, estimated: true });
    return;
  }
  const { cut_stream, cut_flagged, cancelled_call } = gateway.readings;
  if (text === '' && result === 'cancelled' && cancelled_call === 'charged') {
    settleWhole(work, result);
    return;
  }
  if (text === '' || cut_stream === 'nothing') {
    call.refund(result, { ...usage, output: 0 });
    return;
  }
  const written = { ...usage, output: extras.reasoning + WRITTEN[cut_stream](model, text) };
  const charged = cut_stream === 'whole' ? usage : written;
  const amount = textCharge(model, charged, rule, extras);
  call.settle({ amount, usage: charged, result, estimated: cut_flagged });
}

const CHARACTERS_PER_TOKEN = 4;

/** Tokens of the text that a cut stream has sent. */
const WRITTEN: Readonly<Record<Readings['cut_stream'], (model: TextModel, text: string) => number>> = {
  sent: ({ tokenizer }, text) => countTokens(tokenizer, text),
  estimate: (_, text) => Math.ceil(text.length / CHARACTERS_PER_TOKEN),
  whole: () => 0,
  nothing: () => 0,
};

const LOST_EVERY = 8;

/** The error in which an answer is lost, of every eighth call where the readings have such; its charge is settled or given back. */
export function settleLost(work: ChargedText): ApiError | null {
  const { lost_answer } = work.gateway.readings;
  if (lost_answer === 'none' || numberOfRecordId(work.call.saved.recordId) % LOST_EVERY !== 0) return null;
  if (lost_answer === 'charged') settleWhole(work);
  else work.call.refund('failed', { ...work.usage, output: 0 });
  return new ApiError({ status: 500, code: 'upstream_error', message: 'The model did not respond' });
}
