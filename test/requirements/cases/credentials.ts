import assert from 'node:assert/strict';
import type { Reply } from '../reply.ts';
import type { RequirementCase } from '../requirement-case.ts';
import {
  bearer,
  CHAT,
  EDIT_JOBS,
  EDITS,
  GENERATION_JOBS,
  GENERATIONS,
  MESSAGES,
  messagesBody,
  messagesHeaders,
  RECORDS,
  RESPONSES,
  SELF,
  type Service,
  USAGE,
  VERSION_HEADER,
  VIDEOS,
} from '../service.ts';

const MODEL_CALLS = [
  ['POST', CHAT],
  ['POST', RESPONSES],
  ['POST', MESSAGES],
  ['POST', GENERATIONS],
  ['POST', GENERATION_JOBS],
  ['POST', EDITS],
  ['POST', EDIT_JOBS],
  ['GET', '/v1/images/jobs/imgjob_none'],
  ['GET', '/v1/images/jobs/imgjob_none/result'],
  ['POST', VIDEOS],
  ['POST', `${VIDEOS}/generations`],
  ['GET', `${VIDEOS}/video_none`],
  ['GET', `${VIDEOS}/video_none/content`],
  ['GET', USAGE],
  ['GET', RECORDS],
] as const;

function failedAccountCall(service: Service): Promise<Reply> {
  return service.send('GET', SELF, { ...bearer('nobody'), 'new-api-user': '1' });
}

export const CREDENTIAL_CASES: readonly RequirementCase[] = [
  ...MODEL_CALLS.map(
    ([method, path]): RequirementCase => ({
      name: `${method} ${path} wants a key`,
      requires: ['auth.missing_key_401'],
      run: async (service) => {
        const body = method === 'POST' ? {} : undefined;
        assert.equal((await service.send(method, path, {}, body)).status, 401);
      },
    }),
  ),
  {
    name: 'a missing key has an empty code',
    requires: ['auth.missing_key_code'],
    run: async (service) => assert.equal((await service.chat({}, null)).errorText('code'), ''),
  },
  {
    name: 'a missing key is called an invalid token',
    requires: ['auth.missing_key_message'],
    run: async (service) =>
      assert.match((await service.chat({}, null)).errorText('message'), /invalid token/i),
  },
  {
    name: 'an invalid key is refused',
    requires: ['auth.invalid_key_401'],
    run: async (service) => {
      assert.equal((await service.chat({}, 'sk-nobody')).status, 401);
      assert.equal((await service.get(USAGE, 'sk-nobody')).status, 401);
    },
  },
  {
    name: 'an invalid key has an empty code',
    requires: ['auth.invalid_key_code'],
    run: async (service) => assert.equal((await service.chat({}, 'sk-nobody')).errorText('code'), ''),
  },
  {
    name: 'keys start with sk-',
    requires: ['auth.key_form'],
    run: async (service) => assert.match((await service.customer()).key, /^sk-/),
  },
  {
    name: 'access tokens do not look like keys',
    requires: ['auth.access_token_form'],
    run: async (service) => assert.doesNotMatch((await service.customer()).accessToken, /^sk-/),
  },
  {
    name: 'a messages call takes the key in x-api-key',
    requires: ['auth.messages_x_api_key'],
    run: async (service) => {
      const { authorization: _, ...headers } = messagesHeaders(service.ready.api_key);
      assert.notEqual((await service.messages({}, headers)).status, 401);
    },
  },
  {
    name: 'a messages call takes a bearer key',
    requires: ['auth.messages_bearer'],
    run: async (service) => {
      const { 'x-api-key': _, ...headers } = messagesHeaders(service.ready.api_key);
      assert.notEqual((await service.messages({}, headers)).status, 401);
    },
  },
  {
    name: 'a messages call goes without a version header',
    requires: ['version.header_optional'],
    run: async (service) => {
      const { [VERSION_HEADER]: _, ...headers } = messagesHeaders(service.ready.api_key);
      assert.equal((await service.messages({}, headers)).status, 200);
    },
  },
  {
    name: 'a messages call takes any date as its version',
    requires: ['version.header_date'],
    run: async (service) => {
      const headers = { ...messagesHeaders(service.ready.api_key), [VERSION_HEADER]: '2026-01-31' };
      assert.equal((await service.messages({}, headers)).status, 200);
    },
  },
  {
    name: 'messages clients get nowhere with /v1 in their base address',
    requires: ['paths.messages_root'],
    run: async (service) => {
      const { api_key } = service.ready;
      const reply = await service.send('POST', `/v1${MESSAGES}`, messagesHeaders(api_key), messagesBody());
      assert.equal(reply.status, 404);
    },
  },
  {
    name: 'the description of the service has a date as its version',
    requires: ['version.description_date'],
    run: async (service) => {
      const version = (await service.get('/openapi.json', null)).at('info', 'version');
      assert.match(String(version), /^\d{4}-\d{2}-\d{2}$/);
    },
  },
  {
    name: 'model calls are served below /v1 only',
    requires: ['paths.model_calls_v1'],
    run: async (service) => {
      assert.equal((await service.get('/models')).status, 404);
      assert.equal((await service.post('/chat/completions', {})).status, 404);
    },
  },
  {
    name: 'account calls are served below /api only',
    requires: ['paths.account_calls_api'],
    run: async (service) => {
      const { accessToken, userId } = await service.customer();
      const headers = { ...bearer(accessToken), 'new-api-user': String(userId) };
      assert.equal((await service.send('GET', '/user/self', headers)).status, 404);
    },
  },
  {
    name: 'the pricing view has no prefix',
    requires: ['paths.pricing_unprefixed'],
    run: async (service) => {
      assert.equal((await service.get('/v1/pricing.usd.json')).status, 404);
      assert.equal((await service.get('/api/pricing.usd.json')).status, 404);
    },
  },
  {
    name: 'an access token makes no model call',
    requires: ['auth.token_on_model_call'],
    run: async (service) => {
      const { accessToken } = await service.customer();
      assert.ok((await service.chat({}, accessToken)).status >= 400);
    },
  },
  {
    name: 'an access token reads no usage',
    requires: ['auth.token_on_usage'],
    run: async (service) => {
      const { accessToken } = await service.customer();
      assert.ok((await service.get(USAGE, accessToken)).status >= 400);
      assert.ok((await service.get(RECORDS, accessToken)).status >= 400);
    },
  },
  {
    name: 'a key reads no account',
    requires: ['auth.key_on_account'],
    run: async (service) => {
      const { key, userId } = await service.customer();
      const headers = { ...bearer(key), 'new-api-user': String(userId) };
      assert.ok((await service.send('GET', SELF, headers)).status >= 400);
    },
  },
  {
    name: 'an account call without New-Api-User fails',
    requires: ['auth.user_header_needed'],
    run: async (service) => {
      const { accessToken } = await service.customer();
      assert.ok((await service.send('GET', SELF, bearer(accessToken))).status >= 400);
    },
  },
  {
    name: 'an account call with the id of another user fails',
    requires: ['auth.user_owns_token'],
    run: async (service) => {
      const { accessToken } = await service.customer();
      const { userId } = await service.customer();
      const headers = { ...bearer(accessToken), 'new-api-user': String(userId) };
      assert.ok((await service.send('GET', SELF, headers)).status >= 400);
    },
  },
  {
    name: 'an account call without a token is 401',
    requires: ['auth.missing_token_401'],
    run: async (service) => {
      assert.equal((await service.send('GET', SELF, { 'new-api-user': '1' })).status, 401);
    },
  },
  {
    name: 'an account call without a token has a message and no success',
    requires: ['auth.missing_token_body'],
    run: async (service) => {
      const reply = await service.send('GET', SELF);
      assert.equal(reply.at('success'), false);
      assert.equal(typeof reply.at('message'), 'string');
    },
  },
  {
    name: 'an access token stops working when it is made anew',
    requires: ['auth.old_token_stops'],
    run: async (service) => {
      const customer = await service.customer();
      await service.control('POST', `/accounts/${customer.userId}/access-token`);
      assert.ok((await service.self(customer)).status >= 400);
    },
  },
  {
    name: 'an access token that was made anew works',
    requires: ['auth.new_token_works'],
    run: async (service) => {
      const customer = await service.customer();
      const made = await service.control('POST', `/accounts/${customer.userId}/access-token`);
      const accessToken = String(made.at('access_token'));
      assert.notEqual((await service.self({ ...customer, accessToken })).status, 401);
    },
  },
  {
    name: 'a failed account call says that it had no success',
    requires: ['errors.account_success_false'],
    run: async (service) => {
      assert.equal((await failedAccountCall(service)).at('success'), false);
    },
  },
  {
    name: 'a failed account call says why',
    requires: ['errors.account_message'],
    run: async (service) => {
      const message = (await failedAccountCall(service)).at('message');
      assert.ok(typeof message === 'string' && message !== '');
    },
  },
  {
    name: 'a failed account call has no error object',
    requires: ['errors.account_no_error_object'],
    run: async (service) => {
      assert.equal((await failedAccountCall(service)).at('error'), undefined);
    },
  },
  {
    name: 'a key of another site is refused with 403',
    requires: ['sites.mismatch_403'],
    run: async (service) => {
      const { key } = await service.customer({}, { site: 2 });
      assert.equal((await service.chat({}, key)).status, 403);
      assert.equal((await service.get(USAGE, key)).status, 403);
    },
  },
  {
    name: 'a key of another site has the code key_site_mismatch',
    requires: ['sites.mismatch_code'],
    run: async (service) => {
      const { key } = await service.customer({}, { site: 2 });
      assert.equal((await service.chat({}, key)).errorText('code'), 'key_site_mismatch');
    },
  },
  {
    name: 'the message about a key of another site tells where to go',
    requires: ['sites.mismatch_message'],
    run: async (service) => {
      const { key } = await service.customer({}, { site: 2 });
      assert.match((await service.chat({}, key)).errorText('message'), /https?:\/\/|create a key/);
    },
  },
  {
    name: 'a key of another site spends no credit of this one',
    requires: ['sites.credit_not_shared'],
    run: async (service) => {
      const customer = await service.customer();
      const foreign = await service.keyOf(customer.userId, { site: 2 });
      const quota = async (): Promise<number> => Number((await service.self(customer)).at('data', 'quota'));
      const before = await quota();
      await service.chat({}, foreign);
      assert.equal(await quota(), before);
    },
  },
];
