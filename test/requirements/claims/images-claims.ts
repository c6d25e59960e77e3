import type { Requirement } from './requirement.ts';

/** What the interface says of images. */
export const IMAGES_CLAIMS = [
  {
    id: 'images.generation_200',
    source: 'interface §4 POST /v1/images/generations',
    says: 'A generation answers 200.',
  },
  { id: 'images.created_integer', source: 'interface §2 image response', says: 'created is an integer.' },
  { id: 'images.data_array', source: 'interface §2 image response', says: 'data is an array.' },
  { id: 'images.format_url', source: 'interface §2 image response', says: 'response_format url fills url.' },
  {
    id: 'images.format_b64_json',
    source: 'interface §2 image response',
    says: 'response_format b64_json fills b64_json.',
  },
  {
    id: 'images.format_others',
    source: 'interface §2 image edit request',
    says: 'response_format has no other values.',
  },
  {
    id: 'images.model_required',
    source: 'interface §2 image generation request',
    says: 'model is required.',
  },
  {
    id: 'images.prompt_required',
    source: 'interface §2 image generation request',
    says: 'prompt is required.',
  },
  {
    id: 'images.size_square',
    source: 'interface §2 image edit request',
    says: '1024x1024 is a size to start with.',
  },
  {
    id: 'images.qualities',
    source: 'interface §2 image edit request',
    says: 'quality is auto, low, medium or high.',
  },
  {
    id: 'images.quality_others',
    source: 'interface §2 image edit request',
    says: 'quality has no other values.',
  },
  {
    id: 'images.shared_options',
    source: 'interface §2 image generation request',
    says: 'A generation has the options of an edit.',
  },
  { id: 'edits.json', source: 'interface §2 image edit request', says: 'An edit is sent as JSON.' },
  {
    id: 'edits.multipart',
    source: 'interface §2 image edit request',
    says: 'An edit is sent as multipart/form-data.',
  },
  { id: 'edits.answer_200', source: 'interface §4 POST /v1/images/edits', says: 'An edit answers 200.' },
  { id: 'edits.image_required', source: 'interface §2 image edit request', says: 'image is required.' },
  {
    id: 'edits.image_string',
    source: 'interface §2 image edit request',
    says: 'In JSON, image is a string.',
  },
  { id: 'edits.prompt_required', source: 'interface §2 image edit request', says: 'prompt is required.' },
  { id: 'edits.model_required', source: 'interface §2 image edit request', says: 'model is required.' },
  { id: 'edits.n_only_one', source: 'interface §2 image edit request; §8', says: 'n above 1 is refused.' },
  { id: 'edits.n_one', source: 'interface §2 image edit request; §8', says: 'n of 1 is taken.' },
  {
    id: 'edits.n_default',
    source: 'interface §2 image edit request; §8',
    says: 'Without n one image is made.',
  },
  {
    id: 'jobs.generation_202',
    source: 'interface §4 POST /v1/images/generations/jobs',
    says: 'A generation job answers 202.',
  },
  {
    id: 'jobs.edit_202',
    source: 'interface §4 POST /v1/images/edits/jobs',
    says: 'An edit job answers 202.',
  },
  {
    id: 'jobs.generation_same_body',
    source: 'interface §4 POST /v1/images/generations/jobs',
    says: 'A generation job takes the body of a generation.',
  },
  {
    id: 'jobs.edit_same_body',
    source: 'interface §4 POST /v1/images/edits/jobs',
    says: 'An edit job takes the body of an edit.',
  },
  { id: 'jobs.job_id_string', source: 'interface §2 image job', says: 'job_id is a string.' },
  {
    id: 'jobs.status_on_submit',
    source: 'interface §2 image job; §3',
    says: 'An accepted job has a status, one of the four.',
  },
  {
    id: 'jobs.status_on_read',
    source: 'interface §2 image job; §3',
    says: 'A job that is read has a status, one of the four.',
  },
  {
    id: 'jobs.read_200',
    source: 'interface §4 GET /v1/images/jobs/{job_id}',
    says: 'A read of a job answers 200.',
  },
  { id: 'jobs.read_same_id', source: 'interface §3 rule 2', says: 'A job keeps its identifier.' },
  {
    id: 'jobs.unknown_404',
    source: 'interface §7 image and video failures',
    says: 'A job that does not exist is 404.',
  },
  {
    id: 'jobs.foreign_404',
    source: 'interface §4 GET /v1/images/jobs/{job_id}',
    says: 'A job of another account is 404.',
  },
  {
    id: 'jobs.early_result_409',
    source: 'interface §3 rule 4; §7',
    says: 'The result of a job that is not completed is 409.',
  },
  {
    id: 'jobs.result_200',
    source: 'interface §4 GET /v1/images/jobs/{job_id}/result',
    says: 'The result of a completed job answers 200.',
  },
  {
    id: 'jobs.result_image',
    source: 'interface §4 GET /v1/images/jobs/{job_id}/result',
    says: 'The result is an image response.',
  },
  {
    id: 'jobs.result_url',
    source: 'interface §4 GET /v1/images/jobs/{job_id}/result',
    says: 'The query may ask for url.',
  },
  {
    id: 'jobs.result_b64_json',
    source: 'interface §4 GET /v1/images/jobs/{job_id}/result',
    says: 'The query may ask for b64_json.',
  },
  {
    id: 'jobs.failed_read_200',
    source: 'interface §3 rule 1',
    says: 'The read of a failed job can answer 200.',
  },
  { id: 'jobs.failed_status', source: 'interface §3 rule 3', says: 'A failed job has the status failed.' },
  { id: 'jobs.failed_error', source: 'interface §3 rule 3', says: 'A failed job has an error.' },
  {
    id: 'jobs.failed_refund',
    source: 'interface §3 rule 3',
    says: 'The credit of a failed job comes back in usage.',
  },
  {
    id: 'jobs.unsupported_refused',
    source: 'interface §4 note 1',
    says: 'A route without jobs refuses them for good.',
  },
  {
    id: 'jobs.unsupported_falls_back',
    source: 'interface §4 note 1; §7',
    says: 'The synchronous endpoint works in their place.',
  },
] as const satisfies readonly Requirement[];
