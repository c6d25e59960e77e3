import * as z from 'zod';
import { defineFault, type FaultDefinition } from '../../hooks/fault-definition.ts';
import { chargedAnyway, withheld } from '../charged-anyway.ts';
import { anyRequest } from '../hit.ts';
import { emptyAnswer, errorAnswerOf, htmlAnswer } from './error-answer-of.ts';
import { MISSHAPEN_ANSWERS } from './misshapen-answers.ts';
import { RATE_LIMITS } from './rate-limits.ts';
import { REFUSED_CREDENTIALS } from './refused-credentials.ts';
import { REFUSED_REQUESTS } from './refused-requests.ts';

interface ServerError {
  readonly id: string;
  readonly status: number;
  readonly title: string;
  readonly message: string;
  readonly code?: string;
  readonly body?: 'json' | 'html' | 'empty';
}

const SERVER_ERRORS: readonly ServerError[] = [
  {
    id: 'http.500',
    status: 500,
    title: 'Internal Server Error',
    message: 'The service could not answer this request',
  },
  {
    id: 'http.500_rejected',
    status: 500,
    title: 'Internal Server Error',
    message: 'The provider rejected the request',
    code: 'upstream_rejected',
  },
  {
    id: 'http.502_unavailable',
    status: 502,
    title: 'Bad Gateway',
    message: 'The channel for this model is temporarily unavailable',
    code: 'upstream_unavailable',
  },
  {
    id: 'http.503',
    status: 503,
    title: 'Service Unavailable',
    message: 'The service is temporarily unavailable',
  },
  { id: 'http.504', status: 504, title: 'Gateway Timeout', message: 'The model did not respond in time' },
  {
    id: 'http.520',
    status: 520,
    title: 'Unknown Error',
    message: 'The model returned an invalid or empty response',
  },
  {
    id: 'http.524_html',
    status: 524,
    title: 'A Timeout Occurred',
    message: 'The model did not respond in time',
    body: 'html',
  },
  { id: 'http.529', status: 529, title: 'Site is overloaded', message: 'The model is overloaded' },
];

/** 5xx answers; they do not prove that nothing was charged (interface §7). */
const SERVER_ERROR_FAULTS: readonly FaultDefinition[] = SERVER_ERRORS.map((error) =>
  defineFault({
    id: error.id,
    summary: `Answers ${error.status}: ${error.message}.`,
    charge: 'varies',
    shape: {
      ...chargedAnyway,
      body: z
        .enum(['json', 'html', 'empty'])
        .default(error.body ?? 'json')
        .describe("The interface's error object, the page of an intermediary, or nothing."),
    },
    applies: anyRequest,
    arm: ({ body, ...charge }, context) =>
      withheld(context, charge, () => {
        const { status, title, message, code = 'upstream_error' } = error;
        if (body === 'empty') return emptyAnswer(status);
        return body === 'html'
          ? htmlAnswer(status, title)
          : errorAnswerOf(context, { status, code, message });
      }),
  }),
);

/** Faults of status codes, headers and error bodies. */
export const HTTP_FAULTS: readonly FaultDefinition[] = [
  ...REFUSED_CREDENTIALS,
  ...REFUSED_REQUESTS,
  ...RATE_LIMITS,
  ...SERVER_ERROR_FAULTS,
  ...MISSHAPEN_ANSWERS,
];
