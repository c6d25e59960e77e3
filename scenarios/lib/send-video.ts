import type { CallResult, Client, PlannedCall } from 'k6/x/weighbridge';

/** A video task: create once, poll the returned id with growing waits, download (interface §4 note 3). */
export function sendVideo(client: Client, call: PlannedCall): Promise<CallResult> {
  const video = call.video;
  if (video === null) throw new Error(`the plan gives no video shape for ${call.scenario}`);
  return client.poll({
    planned: call,
    path: '/v1/videos',
    body: { model: call.model, prompt: call.prompt, seconds: String(video.seconds), size: video.size },
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
