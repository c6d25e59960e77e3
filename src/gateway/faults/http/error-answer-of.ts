import type * as z from 'zod';
import type { WrongAnswer } from '../../hooks/answer-hooks.ts';
import {
  defineFault,
  type FaultContext,
  type FaultDefinition,
  type ParameterShape,
} from '../../hooks/fault-definition.ts';
import { ApiError } from '../../http/api-error.ts';
import { errorBody } from '../../http/error-answer.ts';
import type { Hit } from './hit.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';

export type ErrorParts = ConstructorParameters<typeof ApiError>[0];

/** An error as the gateway itself would answer it: in the form of the endpoint, with the request id. */
export function errorAnswerOf({ subject, requestId }: FaultContext, parts: ErrorParts): WrongAnswer {
  const error = new ApiError(parts);
  return {
    status: error.status,
    headers: { 'content-type': JSON_TYPE, ...error.headers },
    body: JSON.stringify(errorBody(subject.endpoint, error, requestId)),
  };
}

/** The page of an intermediary that knows nothing of the interface. */
export function htmlAnswer(status: number, title: string): WrongAnswer {
  const body = [
    '<!DOCTYPE html>',
    `<html lang="en"><head><title>${status} ${title}</title></head>`,
    `<body><h1>${status} ${title}</h1></body></html>`,
    '',
  ].join('\n');
  return { status, headers: { 'content-type': HTML_TYPE }, body };
}

export function emptyAnswer(status: number): WrongAnswer {
  return { status, headers: { 'content-type': null }, body: '' };
}

/** A fault that answers before the request is handled: nothing is reserved, nothing is charged. */
export function refusal<S extends ParameterShape>(fault: {
  readonly id: string;
  readonly summary: string;
  readonly hits: Hit;
  readonly shape: S;
  readonly answer: (context: FaultContext, parameters: z.infer<z.ZodObject<S>>) => WrongAnswer;
}): FaultDefinition {
  return defineFault({
    id: fault.id,
    summary: fault.summary,
    charge: 'not_charged',
    shape: fault.shape,
    applies: fault.hits,
    arm: (parameters, context) => ({
      instead() {
        context.fire();
        return fault.answer(context, parameters);
      },
    }),
  });
}
