import type { CallResult, Client, PlannedCall } from 'k6/x/weighbridge';
import { imageRequest, isEdit } from './image-request.ts';
import { sendImage } from './send-image.ts';

/** An image job: submit, poll the same id, fetch the result; on an unsupported route the synchronous endpoint. */
export async function sendImageJob(client: Client, call: PlannedCall): Promise<CallResult> {
  const edit = isEdit(call.kind);
  const request = imageRequest(
    call,
    1,
    edit ? 'image_edit_job' : 'image_job',
    edit ? '/v1/images/edits/jobs' : '/v1/images/generations/jobs',
  );
  const result = await client.poll({
    ...request,
    task: {
      id_field: 'job_id',
      status_path: '/v1/images/jobs/{id}',
      result_path: `/v1/images/jobs/{id}/result${formatQuery(call)}`,
      result_kind: 'result',
      first_ms: 500,
      factor: 1.5,
      max_ms: 5000,
    },
  });
  return isUnsupportedRoute(result) ? sendImage(client, call, result.attempt + 1) : result;
}

function formatQuery(call: PlannedCall): string {
  return call.image === null ? '' : `?response_format=${call.image.response_format}`;
}

/** Interface §4 note 1: only a definitive answer; a submit that timed out may still be running. */
function isUnsupportedRoute(result: CallResult): boolean {
  if (result.outcome !== 'http_error') return false;
  if (result.error_code === 'unsupported_route') return true;
  if (result.status === 404) return result.error_code !== 'model_not_found';
  return result.status === 405 || result.status === 501;
}
