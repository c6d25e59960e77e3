import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { accountRoutes } from '../account/account-routes.ts';
import type { Gateway } from '../gateway.ts';
import { imageJobRoutes } from '../images/image-job-routes.ts';
import { imageRoutes } from '../images/image-routes.ts';
import { modelRoutes } from '../models/model-routes.ts';
import { pricingRoutes } from '../pricing/pricing-routes.ts';
import { textRoutes } from '../text/text-routes.ts';
import { usageRoutes } from '../usage/usage-routes.ts';
import { videoRoutes } from '../videos/video-routes.ts';
import type { ApiError } from './api-error.ts';
import { BODY_LIMIT, refuseLargeBody } from './body-limit.ts';
import { asApiError, errorBody } from './error-answer.ts';
import { injectFaults } from './inject-faults.ts';
import { requestIdHeaders } from './request-id.ts';
import { unknownRoute } from './unknown-route.ts';

const KEEP_ALIVE_MS = 75_000;

const ROUTES = [
  modelRoutes,
  textRoutes,
  imageRoutes,
  imageJobRoutes,
  videoRoutes,
  usageRoutes,
  accountRoutes,
  pricingRoutes,
];

/** The HTTP side of the service: the 18 endpoints of interface §4 and its one way to answer errors. */
export async function buildApp(gateway: Gateway, nextRequestId: () => string): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    genReqId: nextRequestId,
    requestIdHeader: false,
    forceCloseConnections: true,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: 0,
    // The content of a message may be any JSON.
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'ignore',
    frameworkErrors: (error, request, reply) => {
      reply.headers(requestIdHeaders(request.id));
      answerError(request, reply, asApiError(error));
    },
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(requestIdHeaders(request.id));
    // Before the body is looked at: an unknown route is unknown whatever is sent to it.
    if (request.is404) throw unknownRoute(app, request);
    await refuseLargeBody(request);
  });
  app.setErrorHandler((error, request, reply) => answerError(request, reply, asApiError(error)));
  await app.register(multipart);
  injectFaults(app, gateway);
  for (const routes of ROUTES) routes(app, gateway);
  return app;
}

function answerError(request: FastifyRequest, reply: FastifyReply, error: ApiError): void {
  const path = request.url.split('?', 1)[0] ?? '';
  reply
    .code(error.status)
    .headers(error.headers)
    .type('application/json')
    .send(errorBody(path, error, request.id));
}
