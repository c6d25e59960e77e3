import type { FastifyRequest } from 'fastify';
import type { PaidKind } from '../../core/call-kind.ts';
import { ServedCall } from '../calls/paid-call.ts';
import { imageCharge } from '../charging/charge-amount.ts';
import { imageCount, ofOneImage, readImageRequest } from '../formats/image-request.ts';
import { invalidRequest } from '../http/api-error.ts';
import type { PaidEndpoint } from '../http/endpoints.ts';
import { formBody } from '../http/form-body.ts';
import type { Gateway } from '../parts/gateway.ts';
import { chargeRule } from '../readings/charge-rule.ts';
import { callNote } from '../requests/call-note.ts';
import { requestFaults } from '../requests/request-faults-of.ts';
import { requestKey } from '../requests/request-key.ts';
import { servingModel } from '../requests/serving-model.ts';
import { ImageWork } from '../tasks/priced-work.ts';

export interface ImageRoute {
  readonly endpoint: PaidEndpoint;
  readonly kind: Extract<PaidKind, 'image' | 'image_edit' | 'image_job' | 'image_edit_job'>;
  readonly makes: 'generation' | 'edit';
  readonly job: boolean;
}

/** Validates and reserves; the full price is held at once. */
export async function submitImage(
  gateway: Gateway,
  route: ImageRoute,
  request: FastifyRequest,
  recordedAs: { readonly recordedId?: string } = {},
): Promise<ImageWork> {
  const key = requestKey(request);
  const body = await formBody(request);
  const count = gateway.dialect === null ? 1 : imageCount(body);
  const asked = readImageRequest(route.makes, gateway.dialect === null ? body : ofOneImage(body));
  const model = gateway.prices.priced(servingModel(key, asked.model, 'image'));
  if (route.job && !model.jobs) {
    throw invalidRequest(
      `The model '${model.id}' does not support image jobs; use the synchronous image endpoint`,
      'unsupported_route',
    );
  }
  const rule = chargeRule(gateway, key, model);
  const isEdit = route.makes === 'edit';
  const price = imageCharge(model, asked.size, asked.quality, rule, isEdit, count);
  if (price === null) {
    const sizes = [...new Set(model.tiers.map((tier) => tier.size))].join(', ');
    throw invalidRequest(`Invalid value for 'size': the model '${model.id}' makes ${sizes}`);
  }
  const call = new ServedCall(gateway, {
    requestId: request.id,
    ...recordedAs,
    key,
    endpoint: route.endpoint,
    kind: route.kind,
    model: model.id,
    prompt: asked.prompt,
    reserve: price,
    faults: requestFaults(request),
    rule,
    work: { kind: 'image', model, size: asked.size, quality: asked.quality, isEdit, count },
    ...callNote(gateway, { headers: request.headers, body }),
  });
  return new ImageWork(call, route.makes, asked, price, count);
}
