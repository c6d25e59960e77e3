import type { CallRequest, MultipartField } from 'k6/x/weighbridge';
import type { PlannedCall } from '../../src/core/call-plan.ts';
import type { CallIdentity } from './identity.ts';
import { identify } from './identity.ts';

/** A PNG of one pixel: the picture that edits start from. */
const PIXEL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

export type ImageKind = 'image' | 'image_edit' | 'image_job' | 'image_edit_job';

export function isEdit(kind: string): boolean {
  return kind === 'image_edit' || kind === 'image_edit_job';
}

/** The request of an image call; edits carry the picture as a data URL in JSON, or as a file in multipart. */
export function imageRequest<K extends ImageKind>(
  identity: CallIdentity,
  call: PlannedCall,
  attempt: number,
  kind: K,
  path: string,
): CallRequest & { kind: K } {
  const image = call.image;
  if (image === null) throw new Error(`the plan gives no image shape for ${identity.scenario}`);
  const { ids, prompt, prompt_bytes } = identify(identity, attempt, call.prompt);
  const fields = {
    model: call.model,
    prompt,
    size: image.size,
    quality: image.quality,
    response_format: image.response_format,
    n: 1,
  };
  const request: CallRequest & { kind: K } = {
    ...ids,
    kind,
    path,
    auth: call.auth,
    model: call.model,
    prompt_bytes,
    units: { images: 1, size: image.size, quality: image.quality },
  };
  if (!isEdit(kind)) return { ...request, body: JSON.stringify(fields) };
  if (call.multipart) return { ...request, multipart: multipartOf(fields) };
  return { ...request, body: JSON.stringify({ ...fields, image: `data:image/png;base64,${PIXEL_PNG}` }) };
}

function multipartOf(fields: Readonly<Record<string, string | number>>): MultipartField[] {
  const parts: MultipartField[] = Object.entries(fields).map(([name, value]) => ({
    name,
    value: String(value),
  }));
  parts.push({
    name: 'image',
    file: { filename: 'pixel.png', content_type: 'image/png', base64: PIXEL_PNG },
  });
  return parts;
}
