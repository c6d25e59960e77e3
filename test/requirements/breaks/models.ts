import { objectsIn } from '../json.ts';
import { BOOK } from '../service.ts';
import {
  afterwards,
  askedOf,
  changing,
  isMeant,
  jsonAnswer,
  jsonOf,
  refusing,
  type ServiceBreak,
  statusInstead,
  typeInstead,
  type Where,
} from '../service-break.ts';

const LIST: Where = { method: 'GET', path: '/v1/models', status: 200 };
const ANONYMOUS: Where = { ...LIST, asks: ({ credential }) => credential === '' };
const KEYED: Where = { ...LIST, asks: ({ credential }) => credential !== '' };

const NO_MODEL: Where = { method: 'POST', status: 404 };

/** Refusals for a model that stands in no list, or else for one that the key may not call. */
function notFound(inCatalogue: boolean): Where {
  return { ...NO_MODEL, asks: ({ json }) => String(json['model']).startsWith('no-such') !== inCatalogue };
}

export const MODEL_BREAKS = {
  'models.list_without_key': statusInstead('wants a key for the list', ANONYMOUS, 401),
  'models.public_catalog': changing('lists nothing without a key', ANONYMOUS, (body) => {
    body['data'] = [];
  }),
  'models.list_with_key': statusInstead('answers 203 to a key', KEYED, 203),
  'models.invalid_key_401': {
    instead: 'gives the public catalog to an invalid key',
    start: () => async (request, forward) => {
      const answer = await forward(request);
      if (!isMeant({ ...LIST, asks: ({ credential }) => credential !== '' }, askedOf(request))) return answer;
      return answer.status === 401 ? forward({ ...request, headers: {} }) : answer;
    },
  },
  'models.object_list': changing('names the list otherwise', LIST, (body) => {
    body['object'] = 'models';
  }),
  'models.data_array': changing('gives the models by number', LIST, (body) => {
    body['data'] = { ...objectsIn(body['data']) };
  }),
  'models.id_string': changing('lists a model without an id', LIST, (body) => {
    body['data'] = [...objectsIn(body['data']), { object: 'model' }];
  }),
  'models.exact_id': refusing(
    'knows no id with a slash',
    { method: 'POST', asks: ({ json }) => String(json['model']).includes('/') },
    404,
  ),
  'models.key_permissions': {
    instead: 'lists everything to any key',
    start: () => async (request, forward) => {
      const answer = await forward(request);
      if (!isMeant(KEYED, askedOf(request)) || answer.status !== 200) return answer;
      return forward({ ...request, headers: {} });
    },
  },
  'models.outside_key_404': afterwards(
    'serves every model to any key',
    notFound(true),
    async (answer, { json }) => {
      const { error } = await jsonOf(answer);
      const known = JSON.stringify(error).includes('model_not_found');
      return known ? jsonAnswer(200, { object: 'chat.completion', model: json['model'] ?? null }) : answer;
    },
  ),
  'models.unknown_404': statusInstead('answers 400 for an unknown model', notFound(false), 400),
  'models.not_found_code': changing('leaves the code empty', notFound(false), (body) => {
    for (const error of objectsIn(body)) error['code'] = '';
  }),
  'models.not_found_type': changing('gives another type', notFound(false), (body) => {
    for (const error of objectsIn(body)) error['type'] = 'new_api_error';
  }),
  'models.not_found_names_model': changing('does not say which model', notFound(false), (body) => {
    for (const error of objectsIn(body)) {
      error['message'] = String(error['message']).replace('no-such-model', 'of the request');
    }
  }),
  'pricing.without_credential': statusInstead(
    'wants a credential for the price book',
    { path: BOOK, asks: ({ credential }) => credential === '' },
    401,
  ),
  'pricing.json': typeInstead('serves the book as text', { path: BOOK }, 'text/plain'),
  'pricing.global': changing(
    'gives key holders a book of their own',
    { path: BOOK, asks: ({ credential }) => credential !== '' },
    (body) => {
      body['discount'] = '0.1';
    },
  ),
} as const satisfies Readonly<Record<string, ServiceBreak>>;
