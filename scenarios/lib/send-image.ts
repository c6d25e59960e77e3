import type { CallResult, Client, PlannedCall } from 'k6/x/weighbridge';
import { imageRequest, isEdit } from './image-request.ts';

/** A synchronous image call; the picture behind a link of its answer is a part of it. */
export function sendImage(client: Client, call: PlannedCall, attempt: number): Promise<CallResult> {
  const edit = isEdit(call.kind);
  const request = imageRequest(
    call,
    attempt,
    edit ? 'image_edit' : 'image',
    edit ? '/v1/images/edits' : '/v1/images/generations',
  );
  return client.call({ ...request, expect: 'image' });
}
