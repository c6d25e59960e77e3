import assert from 'node:assert/strict';
import type { Reply } from '../reply.ts';
import type { RequirementCase } from '../requirement-case.ts';
import { bearer, CHAT, chatBody, type Service } from '../service.ts';

/** A chat call that the gateway lets fail as if its upstream had. */
function failing(service: Service, fault: string): Promise<Reply> {
  const headers = { ...bearer(service.ready.api_key), 'x-weighbridge-fault': fault };
  return service.send('POST', CHAT, headers, chatBody());
}

const SERVER_ERRORS = ['http.500', 'http.503', 'http.504', 'http.524_html; body=json'];

export const UPSTREAM_CASES: readonly RequirementCase[] = [
  {
    name: 'a busy channel is 429',
    requires: ['upstream.crowded_429'],
    run: async (service) => assert.equal((await failing(service, 'http.429_crowded')).status, 429),
  },
  {
    name: 'a busy channel has the code upstream_crowded',
    requires: ['upstream.crowded_code'],
    run: async (service) => {
      assert.equal((await failing(service, 'http.429_crowded')).errorText('code'), 'upstream_crowded');
    },
  },
  {
    name: 'an unavailable channel is 502',
    requires: ['upstream.unavailable_502'],
    run: async (service) => assert.equal((await failing(service, 'http.502_unavailable')).status, 502),
  },
  {
    name: 'an unavailable channel has the code upstream_unavailable',
    requires: ['upstream.unavailable_code'],
    run: async (service) => {
      const reply = await failing(service, 'http.502_unavailable');
      assert.equal(reply.errorText('code'), 'upstream_unavailable');
    },
  },
  {
    name: 'what a provider rejects has the code upstream_rejected',
    requires: ['upstream.rejected_code'],
    run: async (service) => {
      const reply = await failing(service, 'http.500_rejected');
      assert.equal(reply.errorText('code'), 'upstream_rejected');
    },
  },
  {
    name: 'a model that did not answer has the code upstream_error',
    requires: ['upstream.error_code'],
    run: async (service) => {
      for (const fault of SERVER_ERRORS) {
        assert.equal((await failing(service, fault)).errorText('code'), 'upstream_error', fault);
      }
    },
  },
  {
    name: 'the message about an upstream is one short sentence and the request id',
    requires: ['upstream.short_message'],
    run: async (service) => {
      for (const fault of [...SERVER_ERRORS, 'http.429_crowded', 'http.502_unavailable']) {
        const reply = await failing(service, fault);
        const [sentence = '', id = ''] = reply.errorText('message').split(' (request id: ');
        assert.ok(sentence.length > 0 && sentence.length <= 120, sentence);
        assert.equal(id, `${reply.requestId})`);
      }
    },
  },
  ...[400, 413, 422].map(
    (status): RequirementCase => ({
      name: `a ${status} of the provider carries its own text`,
      requires: ['upstream.provider_text'],
      run: async (service) => {
        const id = status === 400 ? 'http.400_provider' : `http.${status}`;
        const reply = await failing(service, `${id}; text="messages.0: odd, {none}"`);
        assert.ok(reply.errorText('message').startsWith('messages.0: odd, {none}'));
      },
    }),
  ),
];
