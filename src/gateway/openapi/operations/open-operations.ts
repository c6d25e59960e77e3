import * as z from 'zod';
import { apiDescription, modelList, priceBook } from '../answers/catalogue-answers.ts';
import { NO_CREDENTIAL, OPTIONAL_API_KEY, type Operation, READ_ERRORS } from '../operation.ts';

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
