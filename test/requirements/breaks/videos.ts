import { Buffer } from 'node:buffer';
import { isObject, objectsIn } from '../json.ts';
import { RECORDS, VIDEOS } from '../service.ts';
import {
  accepting,
  afterwards,
  changing,
  jsonAnswer,
  listInstead,
  refusing,
  type ServiceBreak,
  statusInstead,
  typeInstead,
  type Where,
} from '../service-break.ts';

const CREATE: Where = { method: 'POST', path: VIDEOS, status: 200 };
const READ: Where = { method: 'GET', path: /^\/v1\/videos\/\w+$/, status: 200 };
const TASK: Where = { path: /^\/v1\/videos(\/\w+)?$/, status: 200 };
const CONTENT: Where = { method: 'GET', path: /^\/v1\/videos\/\w+\/content$/ };

/** A read of a task that has failed. */
function failedTask(instead: string, change: Parameters<typeof changing>[2]): ServiceBreak {
  return changing(instead, READ, (body, head, asked) => {
    if (body['status'] === 'failed') change(body, head, asked);
  });
}

function errorWithout(field: string): ServiceBreak {
  return failedTask(`gives no ${field}`, ({ error }) => {
    if (isObject(error)) delete error[field];
  });
}

/** Takes a reference-based request that differs from the usual in a field. */
function takesReference(instead: string, field: string): ServiceBreak {
  return accepting(instead, {
    path: VIDEOS,
    status: 400,
    asks: ({ json }) => 'input_reference' in json && json[field] !== (field === 'seconds' ? 1 : '1280x720'),
  });
}

export const VIDEO_BREAKS = {
  'videos.create_200': statusInstead('answers 202', CREATE, 202),
  'videos.alias': refusing('has one path only', { path: `${VIDEOS}/generations` }, 404),
  'videos.model_required': accepting('has a model of its own', {
    path: VIDEOS,
    status: 400,
    asks: ({ json }) => 'prompt' in json && !('model' in json),
  }),
  'videos.prompt_required': accepting('films what it likes', {
    path: VIDEOS,
    status: 400,
    asks: ({ json }) => 'model' in json && !('prompt' in json),
  }),
  'videos.id_string': listInstead('gives the id as a list', TASK, 'id'),
  'videos.object_string': listInstead('gives the object as a list', TASK, 'object'),
  'videos.model_string': listInstead('gives the model as a list', TASK, 'model'),
  'videos.status_string': changing('gives the status as a list', TASK, (body) => {
    if (body['status'] !== 'failed') body['status'] = [body['status'] ?? ''];
  }),
  'videos.created_at_integer': listInstead('gives the time as a list', TASK, 'created_at'),
  'videos.accepted_unfinished': changing('says completed at once', CREATE, (body) => {
    body['status'] = 'completed';
  }),
  'videos.status_named': changing('says working', READ, (body) => {
    if (['queued', 'in_progress'].includes(String(body['status']))) body['status'] = 'working';
  }),
  'videos.read_200': changing('answers 202', READ, (body, head) => {
    if (body['status'] !== 'failed') head.status = 202;
  }),
  'videos.read_same_id': changing('gives every read an id of its own', READ, (body) => {
    body['id'] = 'video_read';
  }),
  'videos.content_200': statusInstead('answers 206 without a range', { ...CONTENT, status: 200 }, 206),
  'videos.content_type': typeInstead(
    'calls it bytes',
    { ...CONTENT, status: 200 },
    'application/octet-stream',
  ),
  'videos.content_mp4': afterwards('sends another file', { ...CONTENT, status: 200 }, (answer) => ({
    ...answer,
    body: Buffer.from('RIFF....AVI '),
  })),
  'videos.no_early_content': afterwards('sends an empty file', { ...CONTENT, status: 400 }, () => ({
    status: 200,
    headers: { 'content-type': 'video/mp4' },
    body: Buffer.alloc(0),
  })),
  'videos.content_again': {
    instead: 'sends a file once',
    start: () => {
      const sent = new Set<string>();
      return async (request, forward) => {
        if (!/\/content$/.test(request.path)) return forward(request);
        if (sent.has(request.path))
          return jsonAnswer(410, { error: { message: 'Gone', type: '', code: '' } });
        sent.add(request.path);
        return forward(request);
      };
    },
  },
  'videos.failed_read_200': failedTask('answers 500 for a failed task', (_body, head) => {
    head.status = 500;
  }),
  'videos.failed_status': failedTask('says error', (body) => {
    body['status'] = 'error';
  }),
  'videos.failed_code': errorWithout('code'),
  'videos.failed_message': errorWithout('message'),
  'videos.failed_refund': changing(
    'keeps what a failed task held',
    { path: RECORDS, status: 200 },
    (body) => {
      for (const record of objectsIn(body['data'])) {
        if (String(record['model']).startsWith('orbit')) record['refunded_amount'] = '0';
      }
    },
  ),
  'videos.reference_seconds': takesReference('films as long as it likes', 'seconds'),
  'videos.reference_lines': takesReference('films as large as it likes', 'size'),
  'videos.no_edits': accepting('edits videos', {
    method: 'POST',
    path: /^\/v1\/videos\/(edits|extensions|\w+\/remix)$/,
  }),
} as const satisfies Readonly<Record<string, ServiceBreak>>;
