import type { FastifyInstance } from 'fastify';
import { ApiError } from '../http/api-error.ts';
import { plainHook } from '../http/plain-hook.ts';
import type { Gateway } from '../parts/gateway.ts';
import type { Readings } from '../readings/readings.ts';
import { isJsonObject } from './json-answer.ts';
import { tellRequestId } from './told-request-id.ts';

/** Whether an answer must pass the hooks that the readings put in its way. */
export function changesAnswers({ extra_fields, request_id }: Readings): boolean {
  return extra_fields || request_id !== 'headers';
}

/** Readings that are about answers of every route. */
export function applyReadings(app: FastifyInstance, { readings }: Gateway): void {
  const family = FAMILIES[readings.missing];
  if (family !== null) {
    app.addHook(
      'onRequest',
      plainHook(({ url, method }) => {
        if (url.startsWith(family))
          throw new ApiError({ status: 404, message: `Invalid URL (${method} ${family})` });
      }),
    );
  }
  if (readings.model_list !== 'object') {
    app.addHook('preSerialization', async (request, _reply, value) =>
      request.routeOptions.url === '/v1/models' && isJsonObject(value) ? listed(value, readings) : value,
    );
  }
  if (readings.extra_fields) {
    app.addHook('preSerialization', async (_request, reply, value) =>
      reply.statusCode < 400 && isJsonObject(value) ? withExtraFields(value) : value,
    );
  }
  tellRequestId(app, readings);
}

/** Where the addresses of a family that is not served begin. */
const FAMILIES: Readonly<Record<Readings['missing'], string | null>> = {
  nothing: null,
  usage: '/v1/usage',
  pricebook: '/pricing.usd.json',
  account: '/api/',
};

function listed(
  { object: _, ...list }: Readonly<Record<string, unknown>>,
  { model_list }: Readings,
): unknown {
  return model_list === 'bare_array' && 'data' in list ? list['data'] : list;
}

/** A field that nobody has named, as any object of an answer may have one more. */
const EXTRA = { x_extension: { revision: 1, note: 'not part of the interface' } };

/** Lists of objects in answers whose items get the field too. */
const LISTS = ['data', 'by_model', 'daily', 'models', 'choices', 'output', 'content'];

/** The answer and the items of its lists, each with a field more. */
function withExtraFields(answer: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const lists = Object.entries(answer).map(([name, value]) => [
    name,
    LISTS.includes(name) && Array.isArray(value) ? value.map(extended) : value,
  ]);
  return { ...Object.fromEntries(lists), ...EXTRA };
}

function extended(item: unknown): unknown {
  return item !== null && typeof item === 'object' && !Array.isArray(item) ? { ...item, ...EXTRA } : item;
}
