import type { FastifyInstance } from 'fastify';
import { CallRandom } from '../chance/call-random.ts';
import { waitForReply } from '../http/wait-for-reply.ts';
import { servedFrom } from '../latency/served-from.ts';
import { imageFile } from '../media/image-file.ts';
import type { Gateway } from '../parts/gateway.ts';
import { onceForKey } from '../requests/once-for-key.ts';
import { requireKey } from '../requests/require-key.ts';
import { tellCall } from '../requests/told-request-id.ts';
import { IMAGE_FILE_ROUTE, imageAnswer } from './image-answer.ts';
import { requireLink } from './require-link.ts';
import { type ImageRoute, submitImage } from './submit-image.ts';

const SYNC_ROUTES: readonly ImageRoute[] = [
  { endpoint: '/v1/images/generations', kind: 'image', makes: 'generation', job: false },
  { endpoint: '/v1/images/edits', kind: 'image_edit', makes: 'edit', job: false },
];

/** Images made while the client waits, and the files behind signed links. */
export function imageRoutes(app: FastifyInstance, gateway: Gateway): void {
  const onRequest = requireKey(gateway);
  for (const route of SYNC_ROUTES) {
    const { endpoint } = route;
    const serve = onceForKey(gateway, { what: 'image', path: endpoint }, async (request, reply) => {
      const place = gateway.latency.take();
      try {
        const work = await submitImage(gateway, route, request);
        const random = new CallRandom(
          gateway.seed,
          endpoint,
          work.request.model,
          work.request.prompt,
        ).times();
        const from = await servedFrom(place, reply.raw, work.call.receivedMono, gateway.clock);
        const due = from === null ? null : from + gateway.latency.drawLoaded('image', random, place);
        const lateness = due === null ? null : await waitForReply(reply.raw, gateway.wheel, due);
        if (lateness === null) {
          work.cancel(gateway.readings);
          return null;
        }
        work.complete(lateness);
        gateway.lateness.record(lateness);
        tellCall(gateway, work.call, reply);
        return imageAnswer(gateway, work, work.request.responseFormat, baseOf(request));
      } finally {
        place.leave();
      }
    });
    app.post(endpoint, { onRequest }, serve);
  }

  app.get<{ Params: { size: string; name: string } }>(IMAGE_FILE_ROUTE, async (request, reply) => {
    requireLink(gateway, request);
    return reply.type('image/png').send(imageFile(request.params.size));
  });
}

/** The address under which the client reached this gateway. */
export function baseOf(request: { readonly protocol: string; readonly host: string }): string {
  return `${request.protocol}://${request.host}`;
}
