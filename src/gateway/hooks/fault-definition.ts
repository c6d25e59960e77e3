import * as z from 'zod';
import type { PicoUsd } from '../../core/amount.ts';
import type { PaidKind } from '../../core/call-kind.ts';
import type { SeededRandom } from '../../core/seeded-random.ts';
import type { CallBooks } from '../charging/call-books.ts';
import type { ImageForms, ImageItem } from '../formats/image-item.ts';
import type { Endpoint } from '../http/endpoints.ts';
import type { TextModel } from '../models/model.ts';
import type { CacheUse } from '../tokens/prompt-cache.ts';
import type { AnswerHooks } from './answer-hooks.ts';
import type { StreamHooks } from './stream-hooks.ts';
import type { TaskHooks } from './task-hooks.ts';
import type { UsageHooks } from './usage-hooks.ts';

/** What of a request a fault's selector and its own conditions may look at. */
export interface FaultSubject {
  readonly endpoint: Endpoint;
  /** Null for a read: no read is charged. */
  readonly kind: PaidKind | null;
  /** As the request names it; null where it names none. */
  readonly model: string | null;
  /** Null where no API key was given. */
  readonly keyFingerprint: string | null;
  /** 1 for the first key made, 0 without a key; stands for the key in seeded decisions. */
  readonly keyOrdinal: number;
  readonly stream: boolean;
}

/** Where a fault may act, one group of hooks for each part of the gateway. */
export interface FaultHooks
  extends AnswerHooks,
    StreamHooks,
    ChargeHooks,
    TaskHooks,
    ImageHooks,
    UsageHooks {}

export interface FaultContext {
  readonly subject: FaultSubject;
  /** That of the request itself: error messages end with it. */
  readonly requestId: string;
  /** Seeded by the decision: what a fault draws does not depend on what runs beside it. */
  readonly random: SeededRandom;
  /**
   * Says that the fault has acted; the journal gets one line for each request id it names.
   * `delta`: signed effect on the charge, positive when the customer pays too much; 0 unless given.
   * `requestId`: the request whose charge is wrong; that of the request itself unless given.
   */
  fire(delta?: PicoUsd, requestId?: string): void;
}

export type ParameterShape = Readonly<Record<string, z.ZodType<string | number | boolean>>>;
export type FaultParameters = Readonly<Record<string, string | number | boolean>>;

/** What a fault does to the charge: right, refunded or never made, wrong on purpose; `varies` with a parameter. */
export type ChargeEffect = 'charged' | 'not_charged' | 'wrong' | 'none' | 'varies';

/** One fault: its id, the schema of its parameters, which requests it can hit and what it does. */
export interface FaultDefinition {
  readonly id: string;
  /** One sentence: what the gateway does. */
  readonly summary: string;
  readonly charge: ChargeEffect;
  readonly shape: ParameterShape;
  applies(subject: FaultSubject): boolean;
  arm(parameters: FaultParameters, context: FaultContext): FaultHooks;
}

/** What a fault says of itself beside its parameters; the charge is right unless it says otherwise. */
type NamedFault = Pick<FaultDefinition, 'id' | 'summary' | 'applies'> &
  Partial<Pick<FaultDefinition, 'charge'>>;

/** Keeps the type of the parameters inside; they are parsed again where they are used. */
export function defineFault<S extends ParameterShape>(
  fault: NamedFault & {
    readonly shape: S;
    readonly arm: (parameters: z.infer<z.ZodObject<S>>, context: FaultContext) => FaultHooks;
  },
): FaultDefinition {
  const schema = z.strictObject(fault.shape);
  return {
    charge: 'charged',
    ...fault,
    arm: (parameters, context) => fault.arm(schema.parse(parameters), context),
  };
}

/** A fault without parameters. */
export function plainFault(
  fault: NamedFault & { readonly arm: (context: FaultContext) => FaultHooks },
): FaultDefinition {
  return defineFault({ ...fault, shape: {}, arm: (_parameters, context) => fault.arm(context) });
}

/** A hook that fires whenever it gives something: neither null nor false. */
export function firing<A extends readonly unknown[], R>(
  fire: () => void,
  hook: (...given: A) => R,
): (...given: A) => R {
  return (...given) => {
    const told = hook(...given);
    if (told !== null && told !== false) fire();
    return told;
  };
}

/** Faults of result links and of what an image response carries, in force at every read of the same result. */
interface ImageHooks {
  /** The items of an image response instead of the right one. Null leaves them. */
  images?(items: readonly ImageItem[], forms: ImageForms): readonly ImageItem[] | null;
  /** Whether the link that is about to be given no longer works. */
  linkExpired?(): boolean;
}

/** Faults of what a paid call is charged. */
interface ChargeHooks {
  /** What a text call reads from the prompt cache and writes to it, in the place of what it owes; null leaves it. */
  cache?(owed: CacheUse, model: TextModel): CacheUse | null;
  /** Milliseconds for which the settlement is held back; null settles at once. */
  settleAfter?(): number | null;
  /** After settlement. */
  settled?(charge: { readonly amount: PicoUsd }): void;
  /**
   * After the end of the call was rightly booked, settled or refunded: what is put wrong in the books then. Not asked
   * once another fault has taken the record away.
   */
  booked?(books: CallBooks): void;
  /** When the call is over, settled or not, before its journal line is written. */
  ended?(): void;
}
