import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServedCall } from '../calls/paid-call.ts';
import { CallRandom } from '../chance/call-random.ts';
import { textCharge } from '../charging/charge-amount.ts';
import { NO_EXTRAS } from '../charging/text-extras.ts';
import { drawVector, embeddingRequest, encodeVector } from '../formats/embeddings-format.ts';
import { invalidRequest } from '../http/api-error.ts';
import { readBody } from '../http/read-body.ts';
import { waitForReply } from '../http/wait-for-reply.ts';
import { drawTime } from '../latency/distribution.ts';
import { servedFrom } from '../latency/served-from.ts';
import type { Gateway } from '../parts/gateway.ts';
import { chargeRule } from '../readings/charge-rule.ts';
import { requestFaults } from '../requests/request-faults-of.ts';
import { requestKey } from '../requests/request-key.ts';
import { servingModel } from '../requests/serving-model.ts';
import { countTokens } from '../tokens/count-tokens.ts';

const ENDPOINT = '/v1/embeddings';

/** Serves vectors, charged as the input tokens of a text model: there is nothing else to charge. */
export async function serveEmbedding(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const key = requestKey(request);
  const { model: id, input: inputs, dimensions, encoding_format } = readBody(embeddingRequest, request.body);
  const model = gateway.prices.priced(servingModel(key, id, 'text'));
  const input = inputs.reduce((sum, one) => {
    const counted =
      typeof one === 'string' ? countTokens(model.tokenizer, one, model.context_window) : one.length;
    if (counted > model.context_window) {
      throw invalidRequest(
        `An input does not fit into the model's context of ${model.context_window} tokens`,
        'context_length_exceeded',
      );
    }
    return sum + counted;
  }, 0);
  const prompts = inputs.map((one) => (typeof one === 'string' ? one : one.join(' ')));
  const prompt = prompts.join('\n');
  const rule = chargeRule(gateway, key, model);
  const usage = { input, output: 0, cacheRead: 0, cacheWrite: 0 };
  const amount = textCharge(model, usage, rule);
  const place = gateway.latency.take();
  try {
    const work = { kind: 'text', model, extras: NO_EXTRAS } as const;
    const asked = {
      requestId: request.id,
      key,
      endpoint: ENDPOINT,
      kind: 'embedding',
      model: id,
      prompt,
    } as const;
    const call = new ServedCall(gateway, {
      ...asked,
      reserve: amount,
      faults: requestFaults(request),
      rule,
      work,
    });
    const times = new CallRandom(gateway.seed, ENDPOINT, id, prompt).times();
    const from =
      place.ready === null
        ? call.receivedMono
        : await servedFrom(place, reply.raw, call.receivedMono, gateway.clock);
    const wait_ms = drawTime(times, gateway.latency.model.ttft) * place.load;
    if (from === null || (await waitForReply(reply.raw, gateway.wheel, from + wait_ms)) === null) {
      call.refund('cancelled', usage);
      call.end();
      return reply.hijack();
    }
    call.settle({ amount, usage, result: 'completed', estimated: false });
    call.end();
    await gateway.journal.written();
    const told = gateway.quirks?.flags.has('no-usage')
      ? {}
      : { usage: { prompt_tokens: input, total_tokens: input } };
    const data = prompts.map((one, index) => {
      const vector = drawVector(dimensions, new CallRandom(gateway.seed, ENDPOINT, id, one).reply());
      return { object: 'embedding', index, embedding: encodeVector(vector, encoding_format) };
    });
    return reply.send({
      object: 'list',
      data,
      model: id,
      ...told,
    });
  } finally {
    place.leave();
  }
}
