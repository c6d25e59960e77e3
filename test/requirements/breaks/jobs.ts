import { isObject, objectsIn } from '../json.ts';
import { EDIT_JOBS, GENERATION_JOBS, GENERATIONS, RECORDS } from '../service.ts';
import {
  accepting,
  askedOf,
  changing,
  jsonAnswer,
  jsonOf,
  listInstead,
  refusing,
  type ServiceBreak,
  statusInstead,
  type Where,
} from '../service-break.ts';

const SUBMIT: Where = { method: 'POST', path: [GENERATION_JOBS, EDIT_JOBS], status: 202 };
const JOB: Where = { method: 'GET', path: /^\/v1\/images\/jobs\/\w+$/ };
const READ: Where = { ...JOB, status: 200 };
const RESULT: Where = { method: 'GET', path: /^\/v1\/images\/jobs\/\w+\/result$/, status: 200 };

/** A read of a job that has failed. */
function failedJob(instead: string, change: Parameters<typeof changing>[2]): ServiceBreak {
  return changing(instead, READ, (body, head, asked) => {
    if (body['status'] === 'failed') change(body, head, asked);
  });
}

function resultAs(format: string): Where {
  return { ...RESULT, asks: ({ query }) => query.get('response_format') === format };
}

export const JOB_BREAKS = {
  'jobs.generation_202': statusInstead('answers 200', { ...SUBMIT, path: GENERATION_JOBS }, 200),
  'jobs.edit_202': statusInstead('answers 200', { ...SUBMIT, path: EDIT_JOBS }, 200),
  'jobs.edit_same_body': {
    instead: 'takes JSON with or without an image, and no forms',
    start: () => async (request, forward) => {
      const answer = await forward(request);
      if (request.path !== EDIT_JOBS) return answer;
      if ((request.headers['content-type'] ?? '').startsWith('multipart')) return jsonAnswer(415, {});
      const { json } = askedOf(request);
      return 'model' in json && !('image' in json) ? jsonAnswer(202, { object: 'image.job' }) : answer;
    },
  },
  'jobs.generation_same_body': accepting('draws what it likes', {
    path: GENERATION_JOBS,
    asks: ({ json }) => 'model' in json && !('prompt' in json),
  }),
  'jobs.job_id_string': listInstead('gives the id as a list', SUBMIT, 'job_id'),
  'jobs.status_on_submit': changing('says accepted', SUBMIT, (body) => {
    body['status'] = 'accepted';
  }),
  'jobs.status_on_read': changing('says working', READ, (body) => {
    if (['queued', 'in_progress'].includes(String(body['status']))) body['status'] = 'working';
  }),
  'jobs.read_200': changing('answers 202 for ever', READ, (body, head) => {
    if (body['status'] !== 'failed') head.status = 202;
  }),
  'jobs.read_same_id': changing('gives every read an id of its own', READ, (body) => {
    body['job_id'] = 'imgjob_read';
  }),
  'jobs.unknown_404': statusInstead(
    'answers 400 for an unknown job',
    { path: '/v1/images/jobs/imgjob_none', status: 404 },
    400,
  ),
  'jobs.foreign_404': {
    instead: 'shows jobs to anybody',
    start: () => {
      const owners = new Map<string, string>();
      return async (request, forward) => {
        const answer = await forward(request);
        const { path, credential } = askedOf(request);
        if (path === GENERATION_JOBS) {
          const body = await jsonOf(answer);
          owners.set(String(body['job_id']), credential);
          return jsonAnswer(answer.status, body);
        }
        const owner = owners.get(path.replace('/v1/images/jobs/', ''));
        if (owner === undefined || answer.status !== 404) return answer;
        return forward({ ...request, headers: { ...request.headers, authorization: `Bearer ${owner}` } });
      };
    },
  },
  'jobs.early_result_409': statusInstead(
    'answers 404 until there is a result',
    { ...RESULT, status: 409 },
    404,
  ),
  'jobs.result_200': statusInstead('answers 203', RESULT, 203),
  'jobs.result_image': changing('gives the image alone', RESULT, (body) => {
    delete body['created'];
  }),
  'jobs.result_url': changing('gives bytes', resultAs('url'), (body) => {
    body['data'] = [{ b64_json: 'iVBORw0KGgo=' }];
  }),
  'jobs.result_b64_json': changing('gives a link', resultAs('b64_json'), (body) => {
    body['data'] = [{ url: 'http://127.0.0.1:1/image.png' }];
  }),
  'jobs.failed_read_200': failedJob('answers 500 for a failed job', (_body, head) => {
    head.status = 500;
  }),
  'jobs.failed_status': failedJob('says error', (body) => {
    body['status'] = 'error';
  }),
  'jobs.failed_error': failedJob('gives the error as text', (body) => {
    const { error } = body;
    body['error'] = isObject(error) ? (error['message'] ?? '') : '';
  }),
  'jobs.failed_refund': changing('keeps what a failed job held', { path: RECORDS, status: 200 }, (body) => {
    for (const record of objectsIn(body['data'])) {
      if (String(record['model']).includes('image') && record['billing_status'] === 'refunded') {
        record['refunded_amount'] = '0';
      }
    }
  }),
  'jobs.unsupported_refused': accepting('accepts what it cannot do', {
    path: GENERATION_JOBS,
    status: 400,
    asks: ({ json }) => json['model'] === 'nimbus-sync-only',
  }),
  'jobs.unsupported_falls_back': refusing('makes no images of it either', {
    path: GENERATIONS,
    asks: ({ json }) => json['model'] === 'nimbus-sync-only',
  }),
} as const satisfies Readonly<Record<string, ServiceBreak>>;
