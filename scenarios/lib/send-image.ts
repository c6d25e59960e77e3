import type { CallResult, Client, PlannedCall } from 'k6/x/weighbridge';
import { imageRequest, isEdit } from './image-request.ts';

/** A synchronous image call. A link in the answer is fetched at once: results should be saved promptly (interface §2). */
export async function sendImage(client: Client, call: PlannedCall, attempt: number): Promise<CallResult> {
  const edit = isEdit(call.kind);
  const request = imageRequest(
    call,
    attempt,
    edit ? 'image_edit' : 'image',
    edit ? '/v1/images/edits' : '/v1/images/generations',
  );
  const result = await client.call({ ...request, expect: 'image' });
  if (result.url !== null) {
    await client.download({
      call_id: `${result.call_id}/download`,
      logical_id: call.logical_id,
      attempt: result.attempt,
      n: call.n,
      kind: 'download',
      path: result.url,
      auth: 'bearer', // sent to the target's own origin only
      model: call.model,
      expect: 'image',
    });
  }
  return result;
}
