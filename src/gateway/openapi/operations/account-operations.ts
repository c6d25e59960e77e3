import { pageParameters, usageParameters } from '../../formats/usage-query.ts';
import { accountAnswer } from '../answers/account-answers.ts';
import { usagePageAnswer, usageTotalsAnswer } from '../answers/usage-answers.ts';
import { ACCESS_TOKEN_AND_USER, API_KEY, type Operation, READ_ERRORS } from '../operation.ts';

/** What a key has used, and what its account has left. */
export const ACCOUNT_OPERATIONS: readonly Operation[] = [
  {
    id: 'readUsage',
    method: 'get',
    path: '/v1/usage',
    summary: 'Totals of the key over a window',
    security: API_KEY,
    query: usageParameters,
    answers: {
      200: { means: 'Totals, by model and by UTC day', content: { 'application/json': usageTotalsAnswer } },
    },
    errors: READ_ERRORS,
  },
  {
    id: 'listUsageRequests',
    method: 'get',
    path: '/v1/usage/requests',
    summary: 'Records of the key over a window, newest first',
    security: API_KEY,
    query: pageParameters,
    answers: { 200: { means: 'One page', content: { 'application/json': usagePageAnswer } } },
    errors: READ_ERRORS,
  },
  {
    id: 'readAccount',
    method: 'get',
    path: '/api/user/self',
    summary: 'Account of the access token',
    security: ACCESS_TOKEN_AND_USER,
    answers: { 200: { means: 'The account', content: { 'application/json': accountAnswer } } },
    errors: [400, 401, 403, 500, 503],
  },
];
