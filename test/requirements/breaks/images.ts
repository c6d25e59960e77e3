import { objectsIn } from '../json.ts';
import { EDITS, GENERATIONS, VIDEOS } from '../service.ts';
import {
  type Asked,
  accepting,
  changing,
  listInstead,
  refusing,
  type ServiceBreak,
  statusInstead,
  typeInstead,
  type Where,
} from '../service-break.ts';

const GENERATION: Where = { path: GENERATIONS, status: 200 };
const EDIT: Where = { path: EDITS, status: 200 };

function asks(where: Where, holds: (json: Asked['json']) => boolean): Where {
  return { ...where, asks: ({ json }) => holds(json) };
}

/** Takes a request with this fault. */
function takes(instead: string, path: string, fault: (asked: Asked) => boolean): ServiceBreak {
  return accepting(instead, { path, status: 400, asks: fault });
}

const isForm = ({ request }: Asked): boolean =>
  (request.headers['content-type'] ?? '').startsWith('multipart/form-data');

/** Whether a request sends a field, as JSON or as a form. */
function sends(asked: Asked, field: string): boolean {
  return isForm(asked) ? asked.request.body.includes(`name="${field}"`) : field in asked.json;
}

export const IMAGE_BREAKS = {
  'images.generation_200': statusInstead('answers 201', GENERATION, 201),
  'images.created_integer': listInstead('gives created as a list', GENERATION, 'created'),
  'images.data_array': changing('gives the images by number', GENERATION, (body) => {
    body['data'] = { ...objectsIn(body['data']) };
  }),
  'images.format_url': changing(
    'fills b64_json where a link is asked for',
    asks(GENERATION, (json) => json['response_format'] === 'url'),
    (body) => {
      body['data'] = [{ b64_json: 'iVBORw0KGgo=' }];
    },
  ),
  'images.format_b64_json': changing(
    'gives a link where bytes are asked for',
    asks(GENERATION, (json) => json['response_format'] === 'b64_json'),
    (body) => {
      body['data'] = [{ url: 'http://127.0.0.1:1/image.png' }];
    },
  ),
  'images.format_others': takes(
    'takes any format',
    GENERATIONS,
    ({ json }) => json['response_format'] === 'bmp',
  ),
  'images.model_required': takes('has a model of its own', GENERATIONS, ({ json }) => {
    return 'prompt' in json && !('model' in json);
  }),
  'images.prompt_required': takes('draws what it likes', GENERATIONS, ({ json }) => {
    return 'model' in json && !('prompt' in json);
  }),
  'images.size_square': refusing(
    'makes no squares',
    asks(EDIT, (json) => json['size'] === '1024x1024'),
  ),
  'images.qualities': refusing(
    'knows no quality',
    asks(EDIT, (json) => 'quality' in json),
  ),
  'images.quality_others': takes('takes any quality', EDITS, ({ json }) => json['quality'] === 'ultra'),
  'images.shared_options': takes('takes any n', GENERATIONS, ({ json }) => json['n'] === 2),
  'edits.json': refusing(
    'takes an image in JSON only where its bytes are inside',
    asks(EDIT, (json) => String(json['image']).startsWith('https:')),
  ),
  'edits.multipart': refusing('wants JSON', { ...EDIT, asks: isForm }, 415),
  'edits.answer_200': statusInstead(
    'answers 201',
    asks(EDIT, (json) => json['prompt'] === 'a status'),
    201,
  ),
  'edits.image_required': takes('edits without an image', EDITS, (asked) => {
    return sends(asked, 'prompt') && sends(asked, 'model') && !sends(asked, 'image');
  }),
  'edits.image_string': takes('takes a number as image', EDITS, ({ json }) => json['image'] === 7),
  'edits.prompt_required': takes('edits without a prompt', EDITS, (asked) => {
    return sends(asked, 'image') && !sends(asked, 'prompt');
  }),
  'edits.model_required': takes('has a model of its own', EDITS, (asked) => {
    return sends(asked, 'image') && !sends(asked, 'model');
  }),
  'edits.n_only_one': takes('takes any n', EDITS, (asked) => sends(asked, 'n')),
  'edits.n_one': refusing(
    'takes no n at all',
    asks(EDIT, (json) => 'n' in json),
  ),
  'edits.n_default': changing(
    'makes two images unless told otherwise',
    { ...EDIT, asks: (asked) => !sends(asked, 'n') },
    (body) => {
      body['data'] = [...objectsIn(body['data']), ...objectsIn(body['data'])];
    },
  ),
  'streams.no_image_stream': typeInstead(
    'calls an image an event stream',
    asks(GENERATION, (json) => json['stream'] === true),
    'text/event-stream',
  ),
  'streams.no_video_stream': typeInstead(
    'calls a task an event stream',
    asks({ path: VIDEOS, status: 200 }, (json) => json['stream'] === true),
    'text/event-stream',
  ),
} as const satisfies Readonly<Record<string, ServiceBreak>>;
