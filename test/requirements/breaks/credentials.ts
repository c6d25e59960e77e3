import type { Handler, ProxyRequest } from '../breaking-proxy.ts';
import { isObject, objectsIn } from '../json.ts';
import { MESSAGES, SELF } from '../service.ts';
import {
  type Asked,
  accepting,
  askedOf,
  asking,
  changing,
  jsonAnswer,
  jsonOf,
  refusing,
  type ServiceBreak,
  statusInstead,
  type Where,
} from '../service-break.ts';

const isKey = ({ credential }: Asked): boolean => credential.startsWith('sk-');
const isForeignKey = ({ credential }: Asked): boolean => credential.startsWith('sk-site2-');
const isToken = (asked: Asked): boolean => asked.credential !== '' && !isKey(asked);
const isAnonymous = ({ credential }: Asked): boolean => credential === '';

const ANONYMOUS: Where = { path: /^\/v1\//, asks: isAnonymous, status: 401 };
const INVALID_KEY: Where = { path: ['/v1/chat/completions', '/v1/usage'], asks: isKey, status: 401 };
const NO_TOKEN: Where = { path: SELF, asks: isAnonymous, status: 401 };
const FAILED_ACCOUNT_CALL: Where = { path: SELF, asks: isToken, status: 401 };
const OTHER_SITE: Where = { asks: isForeignKey, status: 403 };

const SELF_ANSWER = {
  success: true,
  message: '',
  data: { id: 1, quota: 0, used_quota: 0, request_count: 0 },
};

/** Serves another path as well. */
function alias(instead: string, from: RegExp, to: (path: string) => string): ServiceBreak {
  return asking(instead, { path: from }, (request) => ({ ...request, path: to(request.path) }));
}

/** Gives out credentials in another form, and takes them back in it. */
function reshaped(field: string, from: RegExp, to: string, back: RegExp): Handler {
  const given = new Map<string, string>();
  const restored = (request: ProxyRequest): ProxyRequest => ({
    ...request,
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [
        name,
        value.replace(back, (text) => given.get(text) ?? text),
      ]),
    ),
  });
  return async (request, forward) => {
    if (!request.control || request.method !== 'POST') return forward(restored(request));
    const answer = await forward(request);
    const body = await jsonOf(answer);
    const text = body[field];
    if (typeof text === 'string') {
      const changed = text.replace(from, to);
      given.set(changed, text);
      body[field] = changed;
    }
    return jsonAnswer(answer.status, body);
  };
}

export const CREDENTIAL_BREAKS = {
  'auth.missing_key_401': statusInstead('answers 400 without a key', ANONYMOUS, 400),
  'auth.missing_key_code': changing('gives a missing key a code', ANONYMOUS, (body) => {
    for (const error of objectsIn(body)) error['code'] = 'missing_key';
  }),
  'auth.missing_key_message': changing('says something else', ANONYMOUS, (body) => {
    for (const error of objectsIn(body)) {
      error['message'] = String(error['message']).replace(/invalid token/i, 'Please sign in');
    }
  }),
  'auth.invalid_key_401': statusInstead('answers 403 to an invalid key', INVALID_KEY, 403),
  'auth.invalid_key_code': changing('gives an invalid key a code', INVALID_KEY, (body) => {
    for (const error of objectsIn(body)) error['code'] = 'invalid_api_key';
  }),
  'auth.key_form': {
    instead: 'gives out keys in another form',
    start: () => reshaped('api_key', /^sk-/, 'key-', /\bkey-\S+/),
  },
  'auth.access_token_form': {
    instead: 'gives out access tokens that look like keys',
    start: () => reshaped('access_token', /^/, 'sk-', /\bsk-\S+/),
  },
  'auth.messages_x_api_key': refusing(
    'knows no x-api-key',
    { path: MESSAGES, asks: ({ request }) => request.headers['authorization'] === undefined },
    401,
  ),
  'auth.messages_bearer': refusing(
    'knows x-api-key only',
    { path: MESSAGES, asks: ({ request }) => request.headers['x-api-key'] === undefined },
    401,
  ),
  'version.header_optional': refusing('wants the version header', {
    path: MESSAGES,
    asks: ({ request }) => request.headers['anthropic-version'] === undefined,
  }),
  'version.header_date': refusing('takes one version only', {
    path: MESSAGES,
    asks: ({ request }) => (request.headers['anthropic-version'] ?? '2023-06-01') !== '2023-06-01',
  }),
  'version.description_date': changing('counts its versions', { path: '/openapi.json' }, ({ info }) => {
    if (isObject(info)) info['version'] = '1.4.0';
  }),
  'paths.messages_root': alias('serves /v1/v1/messages', /^\/v1\/v1\//, (path) => path.slice(3)),
  'paths.model_calls_v1': alias('serves model calls at the root', /^\/(models|chat)/, (path) => `/v1${path}`),
  'paths.account_calls_api': alias('serves account calls at the root', /^\/user\//, (path) => `/api${path}`),
  'paths.pricing_unprefixed': alias(
    'serves the book with a prefix',
    /pricing\.usd\.json$/,
    () => '/pricing.usd.json',
  ),
  'auth.token_on_model_call': accepting('takes any credential for a call', {
    path: '/v1/chat/completions',
    asks: isToken,
  }),
  'auth.token_on_usage': accepting('shows usage to access tokens', { path: /^\/v1\/usage/, asks: isToken }),
  'auth.key_on_account': accepting('shows the account to keys', { path: SELF, asks: isKey }, SELF_ANSWER),
  'auth.user_header_needed': accepting(
    'needs no user id',
    {
      path: SELF,
      asks: (asked) => isToken(asked) && asked.request.headers['new-api-user'] === undefined,
    },
    SELF_ANSWER,
  ),
  'auth.user_owns_token': {
    instead: 'lets a token read every account',
    start: () => async (request, forward) => {
      const answer = await forward(request);
      const asked = askedOf(request);
      if (request.path !== SELF || answer.status !== 401 || !isToken(asked)) return answer;
      const body = await jsonOf(answer);
      const foreign = String(body['message']).includes('does not match');
      return foreign ? jsonAnswer(200, SELF_ANSWER) : jsonAnswer(401, body);
    },
  },
  'auth.missing_token_401': statusInstead('answers 403 without a token', NO_TOKEN, 403),
  'auth.missing_token_body': changing('answers with the error object of model calls', NO_TOKEN, (body) => {
    body['error'] = { message: body['message'] ?? '', type: 'new_api_error', code: '' };
    delete body['success'];
    delete body['message'];
  }),
  'auth.old_token_stops': {
    instead: 'goes on taking an access token that was replaced',
    start: () => {
      const users = new Map<string, string>();
      const current = new Map<string, string>();
      return async (request, forward) => {
        if (request.control && request.path.startsWith('/accounts')) {
          const answer = await forward(request);
          const body = await jsonOf(answer);
          const user = String(body['user_id'] ?? request.path.split('/')[2]);
          users.set(String(body['access_token']), user);
          current.set(user, String(body['access_token']));
          return jsonAnswer(answer.status, body);
        }
        const token = current.get(users.get(askedOf(request).credential) ?? '');
        if (request.path !== SELF || token === undefined) return forward(request);
        return forward({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } });
      };
    },
  },
  'auth.new_token_works': {
    instead: 'takes the first access token of an account only',
    start: () => {
      const later = new Set<string>();
      return async (request, forward) => {
        const answer = await forward(request);
        if (request.control && request.path.endsWith('/access-token')) {
          const body = await jsonOf(answer);
          later.add(String(body['access_token']));
          return jsonAnswer(answer.status, body);
        }
        return later.has(askedOf(request).credential) ? { ...answer, status: 401 } : answer;
      };
    },
  },
  'errors.account_success_false': changing('leaves success out', FAILED_ACCOUNT_CALL, (body) => {
    delete body['success'];
  }),
  'errors.account_message': changing('leaves the message empty', FAILED_ACCOUNT_CALL, (body) => {
    body['message'] = '';
  }),
  'errors.account_no_error_object': changing('adds the error object', FAILED_ACCOUNT_CALL, (body) => {
    body['error'] = { message: body['message'] ?? '', type: 'new_api_error', code: '' };
  }),
  'sites.mismatch_403': statusInstead('answers 401 to a key of another site', OTHER_SITE, 401),
  'sites.mismatch_code': changing('calls it access_denied', OTHER_SITE, (body) => {
    for (const error of objectsIn(body)) error['code'] = 'access_denied';
  }),
  'sites.mismatch_message': changing('does not say where to go', OTHER_SITE, (body) => {
    for (const error of objectsIn(body)) error['message'] = 'Wrong site';
  }),
  'sites.credit_not_shared': {
    instead: 'charges the account that has a key on the other site',
    start: () => {
      const owners = new Map<string, string>();
      const charged = new Set<string>();
      return async (request, forward) => {
        const answer = await forward(request);
        const asked = askedOf(request);
        if (request.control && request.path === '/keys') {
          const body = await jsonOf(answer);
          owners.set(String(body['api_key']), String(asked.json['user_id']));
          return jsonAnswer(answer.status, body);
        }
        if (isForeignKey(asked)) charged.add(owners.get(asked.credential) ?? '');
        if (request.path !== SELF || !charged.has(request.headers['new-api-user'] ?? '')) return answer;
        const body = await jsonOf(answer);
        for (const data of objectsIn(body)) data['quota'] = Number(data['quota']) - 1;
        return jsonAnswer(answer.status, body);
      };
    },
  },
} as const satisfies Readonly<Record<string, ServiceBreak>>;
