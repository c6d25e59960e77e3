import * as z from 'zod';
import type { FaultDefinition } from '../../hooks/fault-definition.ts';
import { paidCall } from '../hit.ts';
import { type ErrorParts, emptyAnswer, errorAnswerOf, refusal, refusalBy } from './error-answer-of.ts';

function limited(headers: Readonly<Record<string, string>> = {}): ErrorParts {
  return { status: 429, message: 'The request limit of this key is exceeded; wait and try again', headers };
}

const wait = {
  seconds: z.int().min(0).max(86_400).default(2).describe('How long the client is told to wait.'),
};

/** Answers of status 429 (interface §7): a client waits at least as long as `Retry-After` says. */
export const RATE_LIMITS: readonly FaultDefinition[] = [
  refusal({
    id: 'http.429_plain',
    summary: 'Says that the request limit is exceeded, and not how long to wait.',
    answer: (context) => errorAnswerOf(context, limited()),
  }),
  refusalBy({
    id: 'http.429_retry_after_s',
    summary: 'The same with `Retry-After` in seconds.',
    shape: wait,
    answer: (context, { seconds }) => errorAnswerOf(context, limited({ 'retry-after': String(seconds) })),
  }),
  refusalBy({
    id: 'http.429_retry_after_date',
    summary: 'The same with `Retry-After` as an HTTP date.',
    shape: wait,
    // Beside the `Date` header, which is the time of the machine, whatever the clock of the gateway is set to.
    answer: (context, { seconds }) =>
      errorAnswerOf(context, limited({ 'retry-after': new Date(Date.now() + seconds * 1000).toUTCString() })),
  }),
  refusal({
    id: 'http.429_retry_after_90',
    summary: 'The same with `Retry-After: 90`: some clients obey up to a minute only and come back at once.',
    answer: (context) => errorAnswerOf(context, limited({ 'retry-after': '90' })),
  }),
  refusal({
    id: 'http.429_retry_after_0',
    summary: 'The same with `Retry-After: 0`.',
    answer: (context) => errorAnswerOf(context, limited({ 'retry-after': '0' })),
  }),
  refusalBy({
    id: 'http.429_retry_after_ms',
    summary: 'The same with `retry-after-ms`, which only some clients read.',
    shape: {
      milliseconds: z
        .int()
        .min(0)
        .max(86_400_000)
        .default(300)
        .describe('How long the client is told to wait.'),
    },
    answer: (context, { milliseconds }) =>
      errorAnswerOf(context, limited({ 'retry-after-ms': String(milliseconds) })),
  }),
  refusal({
    id: 'http.429_empty_body',
    summary: 'Status 429 without a body.',
    answer: () => emptyAnswer(429),
  }),
  refusal({
    id: 'http.429_crowded',
    summary: 'Says that the channel of the model is busy: code `upstream_crowded`.',
    hits: paidCall,
    answer: {
      status: 429,
      code: 'upstream_crowded',
      message: 'The channel for this model is busy; try again later or use another model',
    },
  }),
];
