import { unixSeconds } from '../clock.ts';
import type { Gateway } from '../gateway.ts';
import { imageFile } from './image-file.ts';
import type { ResponseFormat } from './image-request.ts';
import type { ImageWork } from './image-work.ts';
import { LINK_LIFE_S } from './link-signer.ts';

export const IMAGE_FILE_ROUTE = '/files/images/:size/:name';

/** The image response of interface §2; only the asked field is filled. */
export function imageAnswer(
  gateway: Gateway,
  { call, request }: ImageWork,
  format: ResponseFormat,
  baseUrl: string,
): object {
  const { size, quality } = request;
  const created = call.createdAt;
  const rest = { size: size === 'auto' ? '1024x1024' : size, quality, output_format: 'png' };
  if (format === 'b64_json') {
    return { created, data: [{ b64_json: imageFile(size).toString('base64') }], ...rest };
  }
  const path = `/files/images/${size}/${call.requestId}.png`;
  const exp = unixSeconds(gateway.clock.wallMs()) + LINK_LIFE_S;
  return { created, data: [{ url: `${baseUrl}${gateway.links.sign(path, exp)}` }], ...rest };
}
