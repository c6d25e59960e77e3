import * as z from 'zod';
import { chatRequest } from '../../formats/chat-format.ts';
import { messagesRequest } from '../../formats/messages-format.ts';
import { responsesRequest } from '../../formats/responses-format.ts';
import { pageParameters, usageParameters } from '../../formats/usage-query.ts';
import { VERSION_HEADER, versionDate } from '../../text/text-routes.ts';
import { apiDescription, modelList, priceBook } from '../answers/catalogue-answers.ts';
import { chatCompletion, chatCompletionChunk } from '../answers/chat-answers.ts';
import { messageObject, messageStreamEvent } from '../answers/messages-answers.ts';
import { responseObject, responseStreamEvent } from '../answers/responses-answers.ts';
import { accountAnswer, usagePageAnswer, usageTotalsAnswer } from '../answers/usage-answers.ts';
import {
  ACCESS_TOKEN_AND_USER,
  API_KEY_OR_HEADER,
  NO_CREDENTIAL,
  OPTIONAL_API_KEY,
  type Operation,
  PAID_ERRORS,
  READ_ERRORS,
} from '../operation.ts';

/** What a key has used, and what its account has left. */
export const ACCOUNT_OPERATIONS: readonly Operation[] = [
  {
    id: 'readUsage',
    path: '/v1/usage',
    summary: 'Totals of the key over a window',
    query: usageParameters,
    answers: {
      200: { means: 'Totals, by model and by UTC day', content: { 'application/json': usageTotalsAnswer } },
    },
    errors: READ_ERRORS,
  },
  {
    id: 'listUsageRequests',
    path: '/v1/usage/requests',
    summary: 'Records of the key over a window, newest first',
    query: pageParameters,
    answers: { 200: { means: 'One page', content: { 'application/json': usagePageAnswer } } },
    errors: READ_ERRORS,
  },
  {
    id: 'readAccount',
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
    path: '/v1/models',
    summary: 'Models of the key, or all without one',
    security: OPTIONAL_API_KEY,
    answers: { 200: { means: 'The models', content: { 'application/json': modelList } } },
    errors: READ_ERRORS,
  },
  {
    id: 'readPricebook',
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
    path: '/openapi.json',
    summary: 'This description',
    security: NO_CREDENTIAL,
    answers: { 200: { means: 'OpenAPI 3.1', content: { 'application/json': apiDescription } } },
    errors: [400, 500],
  },
];

const messages = [{ role: 'user', content: 'Say hello' }];
const chat = { model: 'aspen-mini', messages, max_completion_tokens: 20 };
const response = { model: 'aspen-mini', input: 'Say hello', max_output_tokens: 20 };
const message = { model: 'cedar-haiku', messages, max_tokens: 20 };
const bothWays = (body: object) => ({ plain: body, streamed: { ...body, stream: true } });

const MEANS = 'The whole answer, or its events where `stream` is true';

export const TEXT_OPERATIONS: readonly Operation[] = [
  {
    id: 'createChatCompletion',
    path: '/v1/chat/completions',
    summary: 'Text in the chat-completions style',
    body: {
      schema: chatRequest,
      types: ['application/json'],
      examples: {
        ...bothWays(chat),
        withUsage: { ...chat, stream: true, stream_options: { include_usage: true } },
      },
    },
    answers: {
      200: {
        means: MEANS,
        content: { 'application/json': chatCompletion, 'text/event-stream': 'file' },
        events: { data: chatCompletionChunk, named: false, end: '[DONE]' },
      },
    },
    errors: PAID_ERRORS,
  },
  {
    id: 'createResponse',
    path: '/v1/responses',
    summary: 'Text in the responses style',
    body: { schema: responsesRequest, types: ['application/json'], examples: bothWays(response) },
    answers: {
      200: {
        means: MEANS,
        content: { 'application/json': responseObject, 'text/event-stream': 'file' },
        events: { data: responseStreamEvent, named: true },
      },
    },
    errors: PAID_ERRORS,
  },
  {
    id: 'createMessage',
    path: '/v1/messages',
    summary: 'Text in the messages style',
    security: API_KEY_OR_HEADER,
    headers: { [VERSION_HEADER]: versionDate },
    body: { schema: messagesRequest, types: ['application/json'], examples: bothWays(message) },
    answers: {
      200: {
        means: MEANS,
        content: { 'application/json': messageObject, 'text/event-stream': 'file' },
        events: { data: messageStreamEvent, named: true },
        headers: ['x-api-version'],
      },
    },
    errors: PAID_ERRORS,
  },
];
