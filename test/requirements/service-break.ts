import { Buffer } from 'node:buffer';
import { bytesOf, type Handler, type ProxyAnswer, type ProxyRequest } from './breaking-proxy.ts';
import { isObject, type Json, type JsonObject, parseJson } from './json.ts';

/** How a service that does not hold a requirement would behave; made anew for each run, so it may remember. */
export interface ServiceBreak {
  /** What such a service does instead. */
  readonly instead: string;
  start(): Handler;
}

/** A request with its parts read. */
export interface Asked {
  readonly request: ProxyRequest;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The JSON body; empty where there is none. */
  readonly json: JsonObject;
  /** The credential without its scheme, empty where there is none. */
  readonly credential: string;
}

/** Which exchanges a break touches: every part given must hold. */
export interface Where {
  /** The control API instead of the service. */
  readonly control?: boolean;
  readonly method?: 'GET' | 'POST';
  readonly path?: string | RegExp | readonly string[];
  readonly asks?: (asked: Asked) => boolean;
  /** Of the gateway's own answer. */
  readonly status?: number | readonly number[];
}

/** Status and headers of an answer, to be changed in place. */
export type AnswerHead = Pick<ProxyAnswer, 'status' | 'headers'>;

export function askedOf(request: ProxyRequest): Asked {
  const json = parseJson(request.body.toString());
  const { authorization, 'x-api-key': apiKey } = request.headers;
  return {
    request,
    path: request.path,
    query: new URLSearchParams(request.search),
    json: isObject(json) ? json : {},
    credential: apiKey ?? (authorization ?? '').replace(/^Bearer /, ''),
  };
}

export function isMeant(where: Where, asked: Asked): boolean {
  const { control = false, method, path, asks } = where;
  const { request } = asked;
  if (request.control !== control) return false;
  if (method !== undefined && request.method !== method) return false;
  if (typeof path === 'string' && request.path !== path) return false;
  if (path instanceof RegExp && !path.test(request.path)) return false;
  if (Array.isArray(path) && !path.includes(request.path)) return false;
  return asks?.(asked) ?? true;
}

function hasStatus({ status }: Where, answer: AnswerHead): boolean {
  return status === undefined || [status].flat().includes(answer.status);
}

/** A break that touches the gateway's answer to some requests. */
export function afterwards(
  instead: string,
  where: Where,
  change: (answer: ProxyAnswer, asked: Asked) => ProxyAnswer | Promise<ProxyAnswer>,
): ServiceBreak {
  return {
    instead,
    start: () => async (request, forward) => {
      const answer = await forward(request);
      const asked = askedOf(request);
      return isMeant(where, asked) && hasStatus(where, answer) ? await change(answer, asked) : answer;
    },
  };
}

/** Changes the JSON object of an answer, or its head, in place. */
export function changing(
  instead: string,
  where: Where,
  change: (body: JsonObject, head: AnswerHead, asked: Asked) => void,
): ServiceBreak {
  return afterwards(instead, where, async (answer, asked) => {
    const text = (await bytesOf(answer.body)).toString();
    const body = parseJson(text);
    if (!isObject(body)) return { ...answer, body: Buffer.from(text) };
    change(body, answer, asked);
    return { ...answer, body: Buffer.from(JSON.stringify(body)) };
  });
}

/** Gives another status with the same body. */
export function statusInstead(instead: string, where: Where, status: number): ServiceBreak {
  return afterwards(instead, where, (answer) => ({ ...answer, status }));
}

/** Gives another content type with the same body. */
export function typeInstead(instead: string, where: Where, type: string): ServiceBreak {
  return afterwards(instead, where, (answer) => ({
    ...answer,
    headers: { ...answer.headers, 'content-type': type },
  }));
}

/** Answers 200 where the gateway refuses. */
export function accepting(instead: string, where: Where, body: Json = { object: 'accepted' }): ServiceBreak {
  return afterwards(instead, { status: [400, 401, 402, 403, 404, 405, 409, 429], ...where }, () =>
    jsonAnswer(200, body),
  );
}

/** Refuses where the gateway accepts, as a malformed request unless told otherwise. */
export function refusing(instead: string, where: Where, status = 400): ServiceBreak {
  return afterwards(instead, { status: [200, 202], ...where }, () =>
    jsonAnswer(status, { error: { message: 'Refused', type: 'invalid_request_error', code: '' } }),
  );
}

/** Gives a field of the answer as a list of one: the value survives, its type does not. */
export function listInstead(instead: string, where: Where, ...fields: readonly string[]): ServiceBreak {
  return changing(instead, where, (body) => {
    for (const field of fields) wrap(body, field);
  });
}

/** `wrap` for one object, where the field is there. */
export function wrap(body: JsonObject, field: string): void {
  const value = body[field];
  if (value !== undefined) body[field] = [value];
}

/** Changes the events of a stream, each without its closing empty line. */
export function streaming(
  instead: string,
  where: Where,
  change: (events: readonly string[]) => readonly string[],
): ServiceBreak {
  return afterwards(instead, { method: 'POST', status: 200, ...where }, async (answer) => {
    const text = (await bytesOf(answer.body)).toString();
    if (!(answer.headers['content-type'] ?? '').includes('text/event-stream')) {
      return { ...answer, body: Buffer.from(text) };
    }
    const events = text.split('\n\n').filter((event) => event !== '');
    return {
      ...answer,
      body: Buffer.from(
        change(events)
          .map((event) => `${event}\n\n`)
          .join(''),
      ),
    };
  });
}

/** Changes a request before the gateway sees it. */
export function asking(
  instead: string,
  where: Where,
  change: (request: ProxyRequest, asked: Asked) => ProxyRequest,
): ServiceBreak {
  return {
    instead,
    start: () => (request, forward) => {
      const asked = askedOf(request);
      return forward(isMeant(where, asked) ? change(request, asked) : request);
    },
  };
}

export function jsonAnswer(status: number, body: Json): ProxyAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** The JSON object of an answer, read to its end. */
export async function jsonOf(answer: ProxyAnswer): Promise<JsonObject> {
  const body = parseJson((await bytesOf(answer.body)).toString());
  return isObject(body) ? body : {};
}
