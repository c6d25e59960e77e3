import { describe, expect, it } from 'vitest';
import type { RefusableAnswer } from '../../client/refusable-request.ts';
import type { MustRefuse } from './negative-run.ts';
import { judgeRefusal } from './negative-run.ts';

const ASKED: MustRefuse = {
  what: 'a call of a model that there is not',
  url: 'https://gateway.example/v1/chat/completions',
  headers: {},
  body: '{}',
  statuses: [404],
  code: 'model_not_found',
  body_of: 'model',
};

function answer(changes: Partial<RefusableAnswer>): RefusableAnswer {
  return {
    status: 404,
    code: 'model_not_found',
    message: 'no such model',
    shaped: true,
    account_shaped: false,
    request_id: 'r1',
    retry_after_s: null,
    network: 'none',
    ...changes,
  };
}

describe('a request that must be refused', () => {
  it.each([
    ['refused as the interface says', {}, 'none', null],
    ['served', { status: 200, code: '', shaped: false }, 'unexpected_accept', null],
    ['refused with another status', { status: 400 }, 'wrong_refusal', 'status'],
    ['refused with another code', { code: '' }, 'wrong_refusal', 'code'],
    ['refused by the page of a proxy', { shaped: false }, 'wrong_refusal', 'body'],
    [
      'refused in the body of account calls',
      { shaped: false, account_shaped: true },
      'wrong_refusal',
      'body',
    ],
    ['answered by a busy gateway', { status: 429, code: '' }, 'rate_limited', null],
    [
      'answered by a broken gateway',
      { status: 502, code: 'upstream_unavailable' },
      'upstream_unavailable',
      null,
    ],
    ['not answered', { status: null, network: 'connect_refused' }, 'connect_refused', null],
  ] as const)('%s', (_, changes, error_type, refusal) => {
    expect(judgeRefusal(ASKED, answer(changes))).toMatchObject({ error_type, refusal });
  });

  it('says what was expected and what came', () => {
    expect(judgeRefusal(ASKED, answer({ status: 200 })).why).toBe(
      'expected a call of a model that there is not to be refused with 404 model_not_found, found HTTP 200',
    );
  });
});
