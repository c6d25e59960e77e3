import * as z from 'zod';
import type { PicoUsd } from '../../core/amount.ts';
import type { PaidKind } from '../../core/call-kind.ts';

/** What of a call a fault's selector and its own conditions may look at. */
export interface FaultSubject {
  readonly endpoint: string;
  readonly kind: PaidKind;
  readonly model: string;
  readonly keyFingerprint: string;
  /** 1 for the first key made; stands for the key in seeded decisions. */
  readonly keyOrdinal: number;
  readonly stream: boolean;
}

/** How a stream is cut: `eof` ends the chunked body without its terminator event, `fin` closes the socket inside it. */
export type CutManner = 'eof' | 'fin';

export interface SettledCharge {
  readonly amount: PicoUsd;
  /** Books the same charge once more. */
  chargeAgain(): void;
}

/** Where a fault may act on a call. A hook that acts says so, and the journal gets its line. */
export interface FaultHooks {
  /** Before each stream event: how to cut now, after `written` events, or null. */
  cutBefore?(written: number): CutManner | null;
  /** After settlement: the signed effect on the charge, or null when it did nothing. */
  settled?(charge: SettledCharge): PicoUsd | null;
}

export type ParameterShape = Readonly<Record<string, z.ZodType<string | number | boolean>>>;
export type FaultParameters = Readonly<Record<string, string | number | boolean>>;

/** One fault: its id, the schema of its parameters, which calls it can hit and what it does. */
export interface FaultDefinition {
  readonly id: string;
  readonly shape: ParameterShape;
  applies(call: FaultSubject): boolean;
  arm(parameters: FaultParameters): FaultHooks;
}

/** Keeps the type of the parameters inside; they are parsed again where they are used. */
export function defineFault<S extends ParameterShape>(fault: {
  readonly id: string;
  readonly shape: S;
  readonly applies: (call: FaultSubject) => boolean;
  readonly arm: (parameters: z.infer<z.ZodObject<S>>) => FaultHooks;
}): FaultDefinition {
  const schema = z.strictObject(fault.shape);
  return {
    id: fault.id,
    shape: fault.shape,
    applies: fault.applies,
    arm: (parameters) => fault.arm(schema.parse(parameters)),
  };
}
