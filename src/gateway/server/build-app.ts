import type { IncomingMessage } from 'node:http';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import fastify from 'fastify';
import { dialectRoutes } from '../dialects/dialect-routes.ts';
import { ApiError, invalidRequest } from '../http/api-error.ts';
import { BODY_LIMIT, refuseLargeBody } from '../http/body-limit.ts';
import { asApiError, errorBody } from '../http/error-answer.ts';
import { HTTP_LIMITS, type HttpLimits, MAX_HEADER_BYTES } from '../http/http-limits.ts';
import { plainHook } from '../http/plain-hook.ts';
import { requestIdHeaders } from '../http/request-id.ts';
import { SocketErrors } from '../http/socket-errors.ts';
import { imageJobRoutes } from '../images/image-job-routes.ts';
import { baseOf, imageRoutes } from '../images/image-routes.ts';
import { openapiDocument } from '../openapi/openapi-document.ts';
import type { Gateway } from '../parts/gateway.ts';
import { behavePlainly, servedUrl } from '../plain/plain-hooks.ts';
import { accountRoutes, modelRoutes, pricingRoutes } from '../reads/document-routes.ts';
import { refusedRequest } from '../requests/answer-in-dialect.ts';
import { applyReadings } from '../requests/apply-readings.ts';
import { injectFaults } from '../requests/inject-faults.ts';
import { keepRefusals } from '../requests/keep-refusals.ts';
import { holdKeys } from '../requests/request-key.ts';
import { plainTextRoutes, textRoutes } from '../text/text-routes.ts';
import { usageRoutes } from '../usage/usage-routes.ts';
import { videoRoutes } from '../videos/video-routes.ts';

const ROUTES = [
  modelRoutes,
  textRoutes,
  imageRoutes,
  imageJobRoutes,
  videoRoutes,
  usageRoutes,
  accountRoutes,
  pricingRoutes,
  openapiRoutes,
];

/** The HTTP side of the service: the 18 endpoints of interface §4 and its one way to answer errors. */
export async function buildApp(
  gateway: Gateway,
  nextRequestId: () => string,
  limits: HttpLimits = HTTP_LIMITS,
): Promise<FastifyInstance> {
  const { quirks, dialect } = gateway;
  const idHeaders = (requestId: string): Record<string, string> =>
    dialect?.headers(requestId) ?? requestIdHeaders(requestId);
  const socketErrors = new SocketErrors(nextRequestId);
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    rewriteUrl: ({ url = '/' }: IncomingMessage) => (quirks === null ? url : servedUrl(quirks, url)),
    genReqId: nextRequestId,
    requestIdHeader: false,
    forceCloseConnections: true,
    keepAliveTimeout: limits.keep_alive_ms,
    requestTimeout: limits.request_ms,
    http: {
      headersTimeout: limits.headers_ms,
      connectionsCheckingInterval: limits.check_ms,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Node would answer such a request by itself, without a body.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => socketErrors.handle(error, socket),
    frameworkErrors: (error, request, reply) => {
      reply.headers(idHeaders(request.id));
      answerError(gateway, request, reply, error);
    },
  });
  if (quirks !== null) behavePlainly(app, quirks);
  app.addHook(
    'onRequest',
    plainHook((request, reply) => {
      reply.headers(idHeaders(request.id));
      // Before the body is looked at: an unknown route is unknown whatever is sent to it.
      if (request.is404) throw unknownRoute(app, request);
      requireHost(request);
      refuseLargeBody(request);
    }),
  );
  readJson(app);
  socketErrors.attach(app.server);
  app.setErrorHandler((error, request, reply) => answerError(gateway, request, reply, error));
  holdKeys(app);
  await app.register(multipart);
  applyReadings(app, gateway);
  keepRefusals(app, gateway);
  injectFaults(app, gateway);
  if (dialect !== null) dialectRoutes(app, gateway, dialect.name);
  else if (quirks === null) for (const routes of ROUTES) routes(app, gateway);
  else {
    modelRoutes(app, gateway);
    plainTextRoutes(app, gateway, quirks);
  }
  return app;
}

/** RFC 9112 §3.2: links in answers begin with it. */
function requireHost({ headers, raw }: FastifyRequest): void {
  if (headers.host !== undefined || raw.httpVersion === '1.0') return;
  throw invalidRequest('Invalid HTTP request: the Host header is missing');
}

function readJson(app: FastifyInstance): void {
  // The content of a message may be any JSON.
  const parse = app.getDefaultJsonParser('remove', 'ignore');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    refuseDeepJson(String(body));
    parse(request, String(body), done);
  });
}

function answerError(
  { dialect }: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  cause: unknown,
): void {
  const path = request.url.split('?', 1)[0] ?? '';
  const error = asApiError(cause);
  // Closed under a client that still sends, the connection would be reset before the answer is read.
  if (reply.hasHeader('connection')) reply.removeHeader('connection');
  if (dialect !== null) {
    const { status, headers, type, body } = dialect.refusal(refusedRequest(request), error, cause);
    reply.code(status).headers(headers).type(type).send(body);
    return;
  }
  reply
    .code(error.status)
    .headers(error.headers)
    .type('application/json')
    .send(errorBody(path, error, request.id));
}

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST'];

/** 405 with `allow` where the path exists under another method, else 404. */
function unknownRoute(app: FastifyInstance, { method, url }: FastifyRequest): ApiError {
  const path = url.split('?', 1)[0] ?? '';
  const allowed = METHODS.filter((candidate) => serves(app, candidate, path));
  if (allowed.length > 0) {
    return new ApiError({
      status: 405,
      type: 'invalid_request_error',
      message: `Method ${method} is not allowed for ${path}`,
      headers: { allow: allowed.join(', ') },
    });
  }
  return new ApiError({
    status: 404,
    type: 'invalid_request_error',
    message: `Invalid URL (${method} ${path})`,
  });
}

function serves(app: FastifyInstance, method: HTTPMethods, path: string): boolean {
  return app.findRoute({ method, url: path }) !== null;
}

/** JSON nested deeper than this is refused: all that reads it may then go down into it. */
export const MAX_JSON_DEPTH = 1000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;

/** Throws ApiError 400 for a text that holds deeper JSON. What is no JSON at all is left to the parser. */
function refuseDeepJson(text: string): void {
  // Each level has two brackets.
  if (text.length > 2 * MAX_JSON_DEPTH && depthOf(text) > MAX_JSON_DEPTH) {
    throw invalidRequest(
      `Invalid request body: expected JSON of ${MAX_JSON_DEPTH} levels at most, found more`,
    );
  }
}

/** The largest number of brackets that are open at once; counting ends above the limit. */
function depthOf(text: string): number {
  let open = 0;
  let deepest = 0;
  let inText = false;
  for (let at = 0; at < text.length && deepest <= MAX_JSON_DEPTH; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) inText = !inText;
    else if (inText) {
      if (code === BACKSLASH) at += 1;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      open += 1;
      deepest = Math.max(deepest, open);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) open -= 1;
  }
  return deepest;
}

/** Serves the description with the address under which the client reached this gateway. */
function openapiRoutes(app: FastifyInstance): void {
  const made = openapiDocument('');
  app.get('/openapi.json', async (request) => ({ ...made, servers: [{ url: baseOf(request) }] }));
}
