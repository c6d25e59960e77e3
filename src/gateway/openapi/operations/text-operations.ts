import { chatRequest } from '../../formats/chat-format.ts';
import { messagesRequest } from '../../formats/messages-format.ts';
import { responsesRequest } from '../../formats/responses-format.ts';
import { VERSION_HEADER, versionDate } from '../../text/text-routes.ts';
import { chatCompletion, chatCompletionChunk } from '../answers/chat-answers.ts';
import { messageObject, messageStreamEvent } from '../answers/messages-answers.ts';
import { responseObject, responseStreamEvent } from '../answers/responses-answers.ts';
import { API_KEY, API_KEY_OR_HEADER, type Operation, PAID_ERRORS } from '../operation.ts';

const messages = [{ role: 'user', content: 'Say hello' }];
const chat = { model: 'aspen-mini', messages, max_completion_tokens: 20 };
const response = { model: 'aspen-mini', input: 'Say hello', max_output_tokens: 20 };
const message = { model: 'cedar-haiku', messages, max_tokens: 20 };
const bothWays = (body: object) => ({ plain: body, streamed: { ...body, stream: true } });

const MEANS = 'The whole answer, or its events where `stream` is true';

export const TEXT_OPERATIONS: readonly Operation[] = [
  {
    id: 'createChatCompletion',
    method: 'post',
    path: '/v1/chat/completions',
    summary: 'Text in the chat-completions style',
    security: API_KEY,
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
    method: 'post',
    path: '/v1/responses',
    summary: 'Text in the responses style',
    security: API_KEY,
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
    method: 'post',
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
