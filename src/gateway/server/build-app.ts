import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { accountRoutes } from '../account/account-routes.ts';
import type { Gateway } from '../gateway.ts';
import { imageJobRoutes } from '../images/image-job-routes.ts';
import { imageRoutes } from '../images/image-routes.ts';
import { modelRoutes } from '../models/model-routes.ts';
import { openapiRoutes } from '../openapi/openapi-routes.ts';
import { pricingRoutes } from '../pricing/pricing-routes.ts';
import { applyReadings } from '../readings/apply-readings.ts';
import { textRoutes } from '../text/text-routes.ts';
import { usageRoutes } from '../usage/usage-routes.ts';
import { videoRoutes } from '../videos/video-routes.ts';
import { type ApiError, invalidRequest } from './api-error.ts';
import { BODY_LIMIT, refuseLargeBody } from './body-limit.ts';
import { asApiError, errorBody } from './error-answer.ts';
import { HTTP_LIMITS, type HttpLimits, MAX_HEADER_BYTES } from './http-limits.ts';
import { injectFaults } from './inject-faults.ts';
import { refuseDeepJson } from './json-depth.ts';
import { plainHook } from './plain-hook.ts';
import { requestIdHeaders } from './request-id.ts';
import { holdKeys } from './request-key.ts';
import { SocketErrors } from './socket-errors.ts';
import { unknownRoute } from './unknown-route.ts';

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
  const socketErrors = new SocketErrors(nextRequestId);
  const app = fastify({
    bodyLimit: BODY_LIMIT,
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
      reply.headers(requestIdHeaders(request.id));
      answerError(request, reply, asApiError(error));
    },
  });
  app.addHook(
    'onRequest',
    plainHook((request, reply) => {
      reply.headers(requestIdHeaders(request.id));
      // Before the body is looked at: an unknown route is unknown whatever is sent to it.
      if (request.is404) throw unknownRoute(app, request);
      requireHost(request);
      refuseLargeBody(request);
    }),
  );
  readJson(app);
  socketErrors.attach(app.server);
  app.setErrorHandler((error, request, reply) => answerError(request, reply, asApiError(error)));
  holdKeys(app);
  await app.register(multipart);
  applyReadings(app, gateway);
  injectFaults(app, gateway);
  for (const routes of ROUTES) routes(app, gateway);
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

function answerError(request: FastifyRequest, reply: FastifyReply, error: ApiError): void {
  const path = request.url.split('?', 1)[0] ?? '';
  // Closed under a client that still sends, the connection would be reset before the answer is read.
  if (reply.hasHeader('connection')) reply.removeHeader('connection');
  reply
    .code(error.status)
    .headers(error.headers)
    .type('application/json')
    .send(errorBody(path, error, request.id));
}
