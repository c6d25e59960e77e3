import type { Requirement } from './requirement.ts';

/** What the interface says of models. */
export const MODELS_CLAIMS = [
  {
    id: 'models.list_without_key',
    source: 'interface §4 GET /v1/models; §5 rule 1',
    says: 'The model list answers 200 without a credential.',
  },
  {
    id: 'models.public_catalog',
    source: 'interface §2 model list',
    says: 'Without a key the list is the public catalogue.',
  },
  {
    id: 'models.list_with_key',
    source: 'interface §4 GET /v1/models',
    says: 'The model list answers 200 to a valid key.',
  },
  {
    id: 'models.invalid_key_401',
    source: 'interface §4 GET /v1/models',
    says: 'The model list answers 401 to an invalid key.',
  },
  {
    id: 'models.object_list',
    source: 'interface §2 model list',
    says: 'object of the model list is "list".',
  },
  { id: 'models.data_array', source: 'interface §2 model list', says: 'data of the model list is an array.' },
  {
    id: 'models.id_string',
    source: 'interface §2 model list',
    says: 'Every listed model has an id, a string.',
  },
  {
    id: 'models.exact_id',
    source: 'interface §2 model list',
    says: 'A listed id is called exactly as it is listed.',
  },
  {
    id: 'models.key_permissions',
    source: 'interface §2 model list; §5 rule 5',
    says: 'With a key the list holds the models of that key.',
  },
  {
    id: 'models.outside_key_404',
    source: 'interface §5 rule 5',
    says: 'A model outside the set of the key is 404.',
  },
  {
    id: 'models.unknown_404',
    source: 'interface §7 row 404',
    says: 'A model id that does not exist is 404.',
  },
  {
    id: 'models.not_found_code',
    source: 'interface §7 row 404',
    says: 'The code of that 404 is model_not_found.',
  },
  {
    id: 'models.not_found_type',
    source: 'interface §7 row 404',
    says: 'The type of that 404 is invalid_request_error.',
  },
  {
    id: 'models.not_found_names_model',
    source: 'interface §7 case 3',
    says: 'The message of that 404 names the model that was sent.',
  },
  {
    id: 'pricing.without_credential',
    source: 'interface §5 rule 1',
    says: 'The price book is served without a credential.',
  },
  { id: 'pricing.json', source: 'interface §4 GET /pricing.usd.json', says: 'The price book is JSON.' },
  {
    id: 'pricing.global',
    source: 'interface §2 pricebook',
    says: 'The base prices are the same for everybody.',
  },
] as const satisfies readonly Requirement[];
