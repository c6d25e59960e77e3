import { isObject, objectsIn } from '../json.ts';
import { CHAT } from '../service.ts';
import {
  accepting,
  afterwards,
  askedOf,
  changing,
  jsonAnswer,
  jsonOf,
  type ServiceBreak,
  statusInstead,
  type Where,
  wrap,
} from '../service-break.ts';

const MALFORMED: Where = {
  path: CHAT,
  status: 400,
  asks: ({ json }) => json['max_tokens'] === 'many',
};

function wrapped(field: string): ServiceBreak {
  return changing(`gives the ${field} as a list`, MALFORMED, (body) => {
    for (const error of objectsIn(body)) wrap(error, field);
  });
}

/** Refusals whose message matches. */
function refusal(
  instead: string,
  where: Where,
  message: RegExp,
  change: (error: { status: number; code: string; message: string }) => void,
): ServiceBreak {
  return changing(instead, where, (body, head) => {
    const error = body['error'];
    if (!isObject(error) || !message.test(String(error['message']))) return;
    const changed = { status: head.status, code: String(error['code']), message: String(error['message']) };
    change(changed);
    head.status = changed.status;
    error['code'] = changed.code;
    error['message'] = changed.message;
  });
}

const CREDIT_403: Where = { path: CHAT, status: 403 };

/** Lets calls above one of the limits of a key pass; `concurrent` tells which. */
function unlimited(instead: string, concurrent: boolean): ServiceBreak {
  return {
    instead,
    start: () => {
      const narrow = new Set<string>();
      return async (request, forward) => {
        const answer = await forward(request);
        const { credential, json } = askedOf(request);
        if (request.control && request.path === '/keys') {
          const body = await jsonOf(answer);
          const { rate } = json;
          if (isObject(rate) && (rate['concurrent'] === 1) === concurrent) {
            narrow.add(String(body['api_key']));
          }
          return jsonAnswer(answer.status, body);
        }
        return answer.status === 429 && narrow.has(credential)
          ? jsonAnswer(200, { object: 'accepted' })
          : answer;
      };
    },
  };
}

export const ERROR_BREAKS = {
  'errors.error_object': changing('gives message, type and code at the top', MALFORMED, (body) => {
    Object.assign(body, body['error']);
    delete body['error'];
  }),
  'errors.message_string': wrapped('message'),
  'errors.type_string': wrapped('type'),
  'errors.code_string': wrapped('code'),
  'errors.english': changing(
    'answers in the language that is asked for',
    { status: 401, asks: ({ request }) => (request.headers['accept-language'] ?? '').startsWith('zh') },
    (body) => {
      for (const error of objectsIn(body)) error['message'] = '无效的令牌';
    },
  ),
  'errors.request_id': changing('leaves the request id out', MALFORMED, (body) => {
    for (const error of objectsIn(body)) {
      error['message'] = String(error['message']).replace(/ *\(request id.*/, '');
    }
  }),
  'errors.code_empty': changing('gives every error a code', MALFORMED, (body) => {
    for (const error of objectsIn(body)) error['code'] = 'bad_request';
  }),
  'errors.malformed_400': statusInstead(
    'fails on a body that is no JSON',
    { status: 400, asks: ({ request }) => request.body.toString() === '{"model":' },
    500,
  ),
  'credit.spent_key_402': refusal('answers 403', { path: CHAT, status: 402 }, /\$\d/, (error) => {
    error.status = 403;
  }),
  'credit.negative_balance_402': refusal('answers 403', { path: CHAT, status: 402 }, /\$-/, (error) => {
    error.status = 403;
  }),
  'credit.estimate_403': refusal('answers 402', CREDIT_403, /estimated/, (error) => {
    error.status = 402;
  }),
  'credit.code_402': refusal('leaves the code empty', { path: CHAT, status: 402 }, /./, (error) => {
    error.code = '';
  }),
  'credit.code_403': refusal('calls it access_denied', CREDIT_403, /estimated/, (error) => {
    error.code = 'access_denied';
  }),
  'credit.message_balance': refusal('keeps the balance to itself', CREDIT_403, /estimated/, (error) => {
    error.message = 'Credit does not cover this call';
  }),
  'credit.media': accepting('gives media on credit', {
    path: ['/v1/images/generations', '/v1/videos'],
    status: [402, 403],
  }),
  'credit.added_then_taken': {
    instead: 'never takes a key again that had too little credit',
    start: () => {
      const poor = new Set<string>();
      return async (request, forward) => {
        const answer = await forward(request);
        const { credential } = askedOf(request);
        if ([402, 403].includes(answer.status)) poor.add(credential);
        return answer.status === 200 && poor.has(credential) ? jsonAnswer(403, {}) : answer;
      };
    },
  },
  'errors.account_blocked_403': refusal('answers 401', CREDIT_403, /account is blocked/, (error) => {
    error.status = 401;
  }),
  'errors.key_not_permitted_403': refusal('answers 401', CREDIT_403, /not permitted/, (error) => {
    error.status = 401;
  }),
  'errors.access_denied': refusal('leaves the code empty', CREDIT_403, /blocked|not permitted/, (error) => {
    error.code = '';
  }),
  'limits.rate_429': unlimited('has no rate limit', false),
  'limits.concurrency_429': unlimited('has no concurrency limit', true),
  'limits.no_credit_error': changing('calls a limit a credit error', { status: 429 }, ({ error }) => {
    if (isObject(error) && error['code'] === '') error['code'] = 'insufficient_user_quota';
  }),
  'limits.retry_after': afterwards('asks to come back at once', { status: 429 }, (answer) => ({
    ...answer,
    headers: { ...answer.headers, 'retry-after': '0' },
  })),
} as const satisfies Readonly<Record<string, ServiceBreak>>;
