import * as z from 'zod';
import { pageParameters, usageParameters } from '../../formats/usage-query.ts';
import { accountAnswer } from '../answers/account-answers.ts';
import { apiDescription, modelList, priceBook } from '../answers/catalogue-answers.ts';
import { usagePageAnswer, usageTotalsAnswer } from '../answers/usage-answers.ts';
import {
  ACCESS_TOKEN_AND_USER,
  API_KEY,
  NO_CREDENTIAL,
  OPTIONAL_API_KEY,
  type Operation,
  READ_ERRORS,
} from '../operation.ts';

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

/** What can be read without a credential. */
export const OPEN_OPERATIONS: readonly Operation[] = [
  {
    id: 'listModels',
    method: 'get',
    path: '/v1/models',
    summary: 'Models of the key, or all without one',
    security: OPTIONAL_API_KEY,
    answers: { 200: { means: 'The models', content: { 'application/json': modelList } } },
    errors: READ_ERRORS,
  },
  {
    id: 'readPricebook',
    method: 'get',
    path: '/pricing.usd.json',
    summary: 'Prices in USD',
    security: NO_CREDENTIAL,
    headers: { 'if-none-match': z.string() },
    answers: {
      200: {
        means: 'The price book in force',
        content: { 'application/json': priceBook },
        headers: ['etag', 'cache-control'],
      },
      304: { means: 'It is still the one of this `etag`', content: null, headers: ['etag', 'cache-control'] },
    },
    errors: [400, 500],
  },
  {
    id: 'readDescription',
    method: 'get',
    path: '/openapi.json',
    summary: 'This description',
    security: NO_CREDENTIAL,
    answers: { 200: { means: 'OpenAPI 3.1', content: { 'application/json': apiDescription } } },
    errors: [400, 500],
  },
];
