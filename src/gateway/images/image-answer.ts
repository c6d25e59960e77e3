import type { ImageForms, ImageItem } from '../formats/image-item.ts';
import type { ResponseFormat } from '../formats/image-request.ts';
import { LINK_LIFE_S } from '../http/link-signer.ts';
import { imageFile } from '../media/image-file.ts';
import type { Gateway } from '../parts/gateway.ts';
import { answerId } from '../requests/told-request-id.ts';
import type { ImageWork } from '../tasks/priced-work.ts';
import { unixSeconds } from '../time/clock.ts';

export const IMAGE_FILE_ROUTE = '/files/images/:size/:name';

/** The image response of interface §2. */
export function imageAnswer(
  gateway: Gateway,
  work: ImageWork,
  format: ResponseFormat,
  baseUrl: string,
): object {
  const { size, quality } = work.request;
  const { faults } = work;
  const forms: ImageForms = {
    asked: format,
    url: () => ({ url: `${baseUrl}${imageLink(gateway, work)}` }),
    b64Json: () => ({ b64_json: imageFile(size).toString('base64') }),
  };
  const right: readonly ImageItem[] = Array.from({ length: work.count }, () =>
    format === 'b64_json' ? forms.b64Json() : forms.url(),
  );
  const created = work.call.createdAt;
  return {
    created: faults.through(created, (hooks, told) => hooks.createdAt?.(told)),
    data: faults.through(right, (hooks, items) => hooks.images?.(items, forms)),
    size: size === 'auto' ? '1024x1024' : size,
    quality,
    output_format: 'png',
  };
}

function imageLink(
  { clock, links, readings, dialect }: Gateway,
  { call, request, faults }: ImageWork,
): string {
  const now = unixSeconds(clock.wallMs());
  const expired = faults.first((hooks) => hooks.linkExpired?.() || null) ?? false;
  return links.sign(
    `/files/images/${request.size}/${answerId(call.requestId, { readings, dialect })}.png`,
    expired ? now : now + LINK_LIFE_S,
  );
}
