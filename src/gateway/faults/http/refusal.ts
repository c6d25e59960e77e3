import type * as z from 'zod';
import type { WrongAnswer } from '../../hooks/answer-hooks.ts';
import {
  defineFault,
  type FaultContext,
  type FaultDefinition,
  type ParameterShape,
} from '../../hooks/fault-definition.ts';
import type { Hit } from './hit.ts';

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
