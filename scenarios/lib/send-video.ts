import type { CallResult, Client } from 'k6/x/weighbridge';
import type { PlannedCall } from '../../src/core/call-plan.ts';
import type { CallIdentity } from './identity.ts';
import { identify } from './identity.ts';

/** A video task: create once, poll the returned id with growing waits, download (interface §4 note 3). */
export function sendVideo(client: Client, identity: CallIdentity, call: PlannedCall): Promise<CallResult> {
  const video = call.video;
  if (video === null) throw new Error(`the plan gives no video shape for ${identity.scenario}`);
  const { ids, prompt, prompt_bytes } = identify(identity, 1, call.prompt);
  return client.poll({
    ...ids,
    kind: 'video',
    path: '/v1/videos',
    body: JSON.stringify({ model: call.model, prompt, seconds: String(video.seconds), size: video.size }),
    auth: call.auth,
    model: call.model,
    prompt_bytes,
    units: { seconds: video.seconds, size: video.size, resolution: video.size },
    task: {
      id_field: 'id',
      status_path: '/v1/videos/{id}',
      result_path: '/v1/videos/{id}/content',
      result_kind: 'download',
      first_ms: 1000,
      factor: 1.5,
      max_ms: 15000,
    },
  });
}
