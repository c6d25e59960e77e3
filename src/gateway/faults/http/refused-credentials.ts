import type { FaultDefinition } from '../../hooks/fault-definition.ts';
import { paidCall, withApiKey, withCredential } from '../hit.ts';
import { htmlAnswer, refusal } from './error-answer-of.ts';

const QUOTA = 'insufficient_user_quota';

/** Refusals of a credential that is right, and of credit that is there (interface §7). */
export const REFUSED_CREDENTIALS: readonly FaultDefinition[] = [
  refusal({
    id: 'http.401',
    summary: 'Refuses a valid credential: 401 with an empty code.',
    hits: withCredential,
    answer: { status: 401, message: 'Invalid token' },
  }),
  refusal({
    id: 'http.401_html',
    summary: 'Refuses a valid credential by an HTML page of an intermediary, 401.',
    hits: withCredential,
    answer: () => htmlAnswer(401, 'Authorization Required'),
  }),
  refusal({
    id: 'http.402_quota',
    summary: 'Says that no credit is left: 402, code `insufficient_user_quota`.',
    hits: paidCall,
    answer: {
      status: 402,
      code: QUOTA,
      message: 'No credit is left for this key; the account balance is $0. Add credit and try again',
    },
  }),
  refusal({
    id: 'http.403_quota',
    summary: 'Says that credit does not cover the estimate: 403, code `insufficient_user_quota`.',
    hits: paidCall,
    answer: {
      status: 403,
      code: QUOTA,
      message:
        'Credit does not cover the estimated cost of $0.25; the account balance is $0.01. Add credit and try again',
    },
  }),
  refusal({
    id: 'http.403_denied',
    summary: 'Says that the account is blocked: 403, code `access_denied`.',
    hits: withCredential,
    answer: { status: 403, code: 'access_denied', message: 'This account is blocked' },
  }),
  refusal({
    id: 'http.403_site',
    summary:
      'Says that the key is of another site: 403, code `key_site_mismatch`, the right base in its text.',
    hits: withApiKey,
    answer: {
      status: 403,
      code: 'key_site_mismatch',
      message:
        'This key belongs to another site. Use the base address https://site2.weighbridge.invalid, or create a key on this site',
    },
  }),
];
