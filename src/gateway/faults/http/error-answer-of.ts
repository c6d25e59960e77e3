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
import { anyRequest, type Hit } from '../hit.ts';

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

/** What a fault says of itself that answers before the request is handled: any request unless it says otherwise. */
type NamedRefusal = Pick<FaultDefinition, 'id' | 'summary'> & { readonly hits?: Hit };

/** A fault that answers before the request is handled: nothing is reserved, nothing is charged. */
export function refusalBy<S extends ParameterShape>(
  fault: NamedRefusal & {
    readonly shape: S;
    readonly answer: (context: FaultContext, parameters: z.infer<z.ZodObject<S>>) => WrongAnswer;
  },
): FaultDefinition {
  const { hits = anyRequest, answer, ...definition } = fault;
  return defineFault({
    ...definition,
    charge: 'not_charged',
    applies: hits,
    arm: (parameters, context) => ({
      instead() {
        context.fire();
        return answer(context, parameters);
      },
    }),
  });
}

/** Such a fault without parameters: the error it answers, or how it makes another answer. */
export function refusal(
  fault: NamedRefusal & { readonly answer: ErrorParts | ((context: FaultContext) => WrongAnswer) },
): FaultDefinition {
  const { answer } = fault;
  return refusalBy({
    ...fault,
    shape: {},
    answer: (context) => (typeof answer === 'function' ? answer(context) : errorAnswerOf(context, answer)),
  });
}
