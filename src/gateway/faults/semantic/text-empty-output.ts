import * as z from 'zod';
import { NO_TOKENS } from '../../charging/token-usage.ts';
import type { StreamFrame } from '../../text/stream-player.ts';
import { defineFault } from '../fault-definition.ts';
import { isTextCall } from './text-call.ts';
import { fieldOf, jsonOf, renumbered, withJson } from './text-event.ts';

/** The list of each format that holds what was generated. */
const LISTS = ['choices', 'output', 'content'];
/** Events that open and close the parts of a reply. */
const PARTS = /^(response\.(output_item|content_part|output_text)|content_block_(start|stop))/;

/** Status 200, a proper end, and nothing in between. */
export const semEmptyOutput = defineFault({
  id: 'sem.empty_output',
  summary: 'Answers a call with status 200, a proper end and no output.',
  charge: 'varies',
  shape: {
    charged: z
      .boolean()
      .default(true)
      .describe('true: the reply that never came is charged. false: everything is given back.'),
  },
  applies: isTextCall,
  arm({ charged }, { fire }) {
    let empty = false;
    return {
      reply(reply) {
        empty = true;
        if (!charged) fire();
        const usage = charged ? reply.usage : NO_TOKENS;
        return { ...reply, text: '', pieces: [], finish: 'stop', usage };
      },
      json(value) {
        const list = LISTS.find((name) => Array.isArray(value[name]));
        return list === undefined ? null : { ...value, [list]: [] };
      },
      frames: (frames) => renumbered(withoutParts(frames)),
      refunds: () => empty && !charged,
      settled({ amount }) {
        if (charged) fire(amount);
      },
    };
  },
});

function* withoutParts(frames: Iterable<StreamFrame>): Generator<StreamFrame> {
  for (const frame of frames) {
    const value = jsonOf(frame);
    if (value !== null && PARTS.test(String(value['type']))) continue;
    const response = value === null ? null : fieldOf(value, 'response');
    yield response === null ? frame : withJson(frame, { ...value, response: { ...response, output: [] } });
  }
}
