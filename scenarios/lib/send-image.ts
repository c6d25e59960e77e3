import type { CallResult, Client } from 'k6/x/weighbridge';
import type { PlannedCall } from '../../src/core/call-plan.ts';
import type { CallIdentity } from './identity.ts';
import { imageRequest, isEdit } from './image-request.ts';

/** A synchronous image call. A link in the answer is fetched at once: results should be saved promptly (interface §2). */
export async function sendImage(
  client: Client,
  identity: CallIdentity,
  call: PlannedCall,
  attempt: number,
): Promise<CallResult> {
  const edit = isEdit(call.kind);
  const request = imageRequest(
    identity,
    call,
    attempt,
    edit ? 'image_edit' : 'image',
    edit ? '/v1/images/edits' : '/v1/images/generations',
  );
  const result = await client.call({ ...request, expect: 'image' });
  if (result.url !== null) {
    await client.download({
      call_id: `${request.call_id}/download`,
      logical_id: request.logical_id,
      attempt,
      kind: 'download',
      path: result.url,
      auth: 'bearer', // sent to the target's own origin only
      model: call.model,
      expect: 'image',
    });
  }
  return result;
}
