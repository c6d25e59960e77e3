import type { CallRequest, MultipartField, PaidKind, PlannedCall } from 'k6/x/weighbridge';

/** A PNG of one pixel: the picture that edits start from. */
const PIXEL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

export function isEdit(kind: PaidKind): boolean {
  return kind === 'image_edit' || kind === 'image_edit_job';
}

/** The request of an image call; edits carry the picture as a data URL in JSON, or as a file in multipart. */
export function imageRequest(call: PlannedCall, attempt: number, kind: PaidKind, path: string): CallRequest {
  const { image, model, prompt } = call;
  if (image === null) throw new Error(`the plan gives no image shape for ${call.scenario}`);
  const { size, quality, response_format } = image;
  const fields = { model, prompt, size, quality, response_format, n: 1 };
  const request: CallRequest = {
    planned: call,
    attempt,
    kind,
    path,
    units: { images: 1, size, quality },
  };
  if (!isEdit(kind)) return { ...request, body: fields };
  if (call.multipart) return { ...request, multipart: multipartOf(fields) };
  return { ...request, body: { ...fields, image: `data:image/png;base64,${PIXEL_PNG}` } };
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
