import type { FastifyInstance } from 'fastify';
import { unixSeconds } from '../clock.ts';
import type { Gateway } from '../gateway.ts';
import { callRandom } from '../latency/call-random.ts';
import { drawLogNormal } from '../latency/log-normal.ts';
import { ApiError } from '../server/api-error.ts';
import { requireKey } from '../server/require-key.ts';
import { waitForReply } from '../server/wait-for-reply.ts';
import { IMAGE_FILE_ROUTE, imageAnswer } from './image-answer.ts';
import { imageFile } from './image-file.ts';
import { type ImageRoute, submitImage } from './submit-image.ts';

const SYNC_ROUTES: readonly ImageRoute[] = [
  { endpoint: '/v1/images/generations', kind: 'image', makes: 'generation', job: false },
  { endpoint: '/v1/images/edits', kind: 'image_edit', makes: 'edit', job: false },
];

/** Images made while the client waits, and the files behind signed links. */
export function imageRoutes(app: FastifyInstance, gateway: Gateway): void {
  for (const route of SYNC_ROUTES) {
    app.post(route.endpoint, { onRequest: requireKey(gateway) }, async (request, reply) => {
      const work = await submitImage(gateway, route, request);
      const random = callRandom(gateway.seed, route.endpoint, work.request.model, work.request.prompt);
      const due = work.call.receivedMono + drawLogNormal(random, gateway.latency.image);
      const lateness = await waitForReply(reply.raw, gateway.wheel, due);
      if (lateness === null) {
        work.cancel();
        return reply.hijack();
      }
      work.complete(lateness);
      return imageAnswer(gateway, work, work.request.responseFormat, baseOf(request));
    });
  }

  app.get<{ Params: { size: string; name: string }; Querystring: { exp?: string; sig?: string } }>(
    IMAGE_FILE_ROUTE,
    async ({ params, query, url }, reply) => {
      const path = decodeURI(url.split('?', 1)[0] ?? '');
      const now = unixSeconds(gateway.clock.wallMs());
      if (!gateway.links.verify(path, Number(query.exp ?? 0), String(query.sig ?? ''), now)) {
        throw new ApiError({
          status: 403,
          code: 'access_denied',
          message: 'This link has expired or is not valid',
        });
      }
      return reply.type('image/png').send(imageFile(params.size));
    },
  );
}

/** The address under which the client reached this gateway. */
export function baseOf(request: { readonly protocol: string; readonly host: string }): string {
  return `${request.protocol}://${request.host}`;
}
