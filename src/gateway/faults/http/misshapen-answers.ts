import * as z from 'zod';
import type { WrongAnswer } from '../../hooks/answer-hooks.ts';
import { type FaultDefinition, plainFault } from '../../hooks/fault-definition.ts';
import { anyRequest, endpoints, withApiKey } from '../hit.ts';
import { errorAnswerOf, JSON_TYPE, refusal, refusalBy } from './error-answer-of.ts';

const LONGEST_LOCATION = 300;

function json(status: number, body: object): WrongAnswer {
  return { status, headers: { 'content-type': JSON_TYPE }, body: JSON.stringify(body) };
}

/** Errors that break the rules of interface §7 for errors. */
export const MISSHAPEN_ANSWERS: readonly FaultDefinition[] = [
  refusal({
    id: 'http.500_code_missing',
    summary: 'Answers 500 with JSON that has no `error`.',
    answer: ({ requestId }) =>
      json(500, { message: `The service could not answer this request (request id: ${requestId})` }),
  }),
  refusal({
    id: 'http.200_error_body',
    summary: 'Answers 200 with the error object of a server error.',
    hits: withApiKey,
    answer: (context) => ({
      ...errorAnswerOf(context, {
        status: 500,
        code: 'upstream_error',
        message: 'The service could not answer this request',
      }),
      status: 200,
    }),
  }),
  refusal({
    id: 'http.200_success_false',
    summary: 'Answers the account read with 200 and `success` false.',
    hits: endpoints('/api/user/self'),
    answer: ({ requestId }) =>
      json(200, { success: false, message: `The account could not be read (request id: ${requestId})` }),
  }),
  refusal({
    id: 'http.chinese_message',
    summary: 'Answers 503 with a message in Chinese: messages are always English.',
    answer: {
      status: 503,
      code: 'upstream_error',
      message: '当前服务繁忙，请稍后再试',
    },
  }),
  refusalBy({
    id: 'http.redirect',
    summary: 'Answers 307 to another address; clients leave the key behind where the origin changes.',
    shape: {
      location: z
        .string()
        .regex(/^(\/|https?:\/\/)[^\s"]*$/, { error: 'must be a path or an http address' })
        .max(LONGEST_LOCATION)
        .default('/v1/moved')
        .describe('Path or address of the `Location` header.'),
    },
    answer: (_context, { location }) => ({
      status: 307,
      headers: { location, 'content-type': null },
      body: '',
    }),
  }),
  plainFault({
    id: 'http.no_request_id',
    summary: 'Leaves the request id out: no header on any answer, no suffix on an error message.',
    charge: 'none',
    applies: anyRequest,
    arm: ({ fire, requestId }) => ({
      head({ headers, ...head }) {
        fire();
        const left = Object.entries(headers).filter(([name]) => !(name in WITHOUT_ID));
        return { ...head, headers: Object.fromEntries(left) };
      },
      replace({ status, body }) {
        fire();
        const suffix = ` (request id: ${requestId})`;
        // Errors of messages-style calls have it once more, as a field.
        const field = `,"request_id":"${requestId}"`;
        const text = typeof body === 'string' ? body.replaceAll(suffix, '').replaceAll(field, '') : body;
        return { status, headers: WITHOUT_ID, body: text };
      },
    }),
  }),
];

const WITHOUT_ID = { 'x-oneapi-request-id': null, 'x-request-id': null, 'request-id': null };
