import * as z from 'zod';
import type { PicoUsd } from '../../../core/amount.ts';
import { NO_TOKENS } from '../../events/token-usage.ts';
import type { StreamFrame } from '../../formats/stream-player.ts';
import { defineFault } from '../../hooks/fault-definition.ts';
import { charged as chargedAt } from '../billing/wrong-record.ts';
import { isTextCall } from './text-call.ts';
import { eventJson, fieldOf, renumbered, withJson } from './text-event.ts';

/** The list of each format that holds what was generated. */
const LISTS = ['choices', 'output', 'content'];
/** Events that open and close the parts of a reply. */
const PARTS =
  /^(response\.(output_item|content_part|output_text|web_search_call)|content_block_(start|stop))/;

/** Status 200, a proper end, and nothing in between. */
export const semEmptyOutput = defineFault({
  id: 'sem.empty_output',
  summary: 'Answers a call with status 200, a proper end and no output.',
  charge: 'varies',
  shape: {
    charged: z
      .boolean()
      .default(true)
      .describe('true: it is charged all the same. false: everything is given back.'),
    usage: z
      .enum(['reply', 'prompt'])
      .default('reply')
      .describe('Used by true: the reply that never came is told and charged, or the prompt alone.'),
  },
  applies: isTextCall,
  arm({ charged, usage: counted }, { fire }) {
    let empty = false;
    let amount: PicoUsd | null = null;
    let less: PicoUsd = 0n;
    return {
      reply(reply) {
        empty = true;
        if (!charged) fire();
        const told = counted === 'reply' ? reply.usage : { ...reply.usage, output: 0 };
        const usage = charged ? told : NO_TOKENS;
        return { ...reply, text: '', pieces: [], finish: 'stop', usage };
      },
      json(value) {
        const list = LISTS.find((name) => Array.isArray(value[name]));
        return list === undefined ? null : { ...value, [list]: [] };
      },
      frames: (frames) => renumbered(withoutParts(frames)),
      refunds: () => empty && !charged,
      settled(charge) {
        amount = charge.amount;
      },
      booked(books) {
        const { record, used } = books;
        if (counted === 'reply' || !empty || record.result !== 'completed') return;
        const usage = { ...used, output: 0 };
        const ofPrompt = books.price(usage);
        if (ofPrompt !== null) less = books.amend({ ...chargedAt(record, ofPrompt), usage });
      },
      ended() {
        if (charged && amount !== null) fire(amount + less);
      },
    };
  },
});

function* withoutParts(frames: Iterable<StreamFrame>): Generator<StreamFrame> {
  for (const frame of frames) {
    const value = eventJson(frame);
    if (value !== null && PARTS.test(String(value['type']))) continue;
    const response = value === null ? null : fieldOf(value, 'response');
    yield response === null ? frame : withJson(frame, { ...value, response: { ...response, output: [] } });
  }
}
