import * as z from 'zod';
import { READING_VALUES, STATUS_READINGS } from '../contracts/billing-readings.ts';
import { POLICY_ANSWERS } from '../contracts/billing-terms.ts';
import { WeighbridgeError } from '../contracts/failure.ts';
import type { BillingFile } from './billing-schema.ts';
import { policyKeys, readingKeys } from './reading-keys.ts';

/** What `--assume-reading` gave, in the keys of the configuration that it stands before. */
export const assumedSchema = z.strictObject({
  readings: z.strictObject(readingKeys),
  policy: z.strictObject(policyKeys),
});
export type AssumedFile = z.infer<typeof assumedSchema>;

const POLICY_NAMES = Object.keys(policyKeys);
const STATUS = 'status.';

/** What each name takes, in words for errors and help. */
const ALLOWED: ReadonlyMap<string, string> = new Map([
  ...Object.entries(READING_VALUES).map(([name, values]) => [name, values.join(', ')] as const),
  ['rounding', 'auto, or MODE/QUANTUM such as half_up/0.000001'],
  ['status.WORD', STATUS_READINGS.join(', ')],
  ...POLICY_NAMES.map((name) => [name, POLICY_ANSWERS.join(', ')] as const),
]);

/** `NAME=VALUE` once for each flag; of one name the last counts. Throws `assume_reading_invalid` (exit 2). */
export function parseAssumed(given: readonly string[]): AssumedFile {
  const readings: Record<string, string | Record<string, string>> = {};
  const policy: Record<string, string> = {};
  const status: Record<string, string> = {};
  for (const text of given) {
    const at = text.lastIndexOf('=');
    const [name, value] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
    const allowed = ALLOWED.get(name.startsWith(STATUS) ? 'status.WORD' : name);
    if (allowed === undefined || name === 'status.WORD' || name === STATUS) throw unknownName(text);
    const known = isKnown(name, value);
    if (!known) throw invalid(`${name}=VALUE, with VALUE one of ${allowed}`, text);
    if (name.startsWith(STATUS)) status[name.slice(STATUS.length)] = value;
    else if (POLICY_NAMES.includes(name)) policy[name] = value;
    else readings[name] = value;
  }
  if (Object.keys(status).length > 0) readings['status'] = status;
  return assumedSchema.parse({ readings, policy });
}

function isKnown(name: string, value: string): boolean {
  const key = name.startsWith(STATUS)
    ? { readings: { status: { [name.slice(STATUS.length)]: value } }, policy: {} }
    : POLICY_NAMES.includes(name)
      ? { readings: {}, policy: { [name]: value } }
      : { readings: { [name]: value }, policy: {} };
  return assumedSchema.safeParse(key).success;
}

/** Names as the flag takes them, in the order of the configuration. */
export function assumedNames({ readings, policy }: AssumedFile): readonly string[] {
  const { status = {}, ...listed } = readings;
  return [
    ...Object.keys(listed),
    ...Object.keys(status).map((word) => `${STATUS}${word}`),
    ...Object.keys(policy),
  ];
}

/** The `billing:` block with what was assumed in place of what it declares. */
export function underAssumed(file: BillingFile | undefined, assumed: AssumedFile): BillingFile {
  const { readings, policy } = file ?? {};
  return {
    ...file,
    readings: {
      ...readings,
      ...assumed.readings,
      status: { ...readings?.status, ...assumed.readings.status },
    },
    policy: { ...policy, ...assumed.policy },
  };
}

function unknownName(found: string): WeighbridgeError {
  return invalid(`NAME=VALUE, with NAME one of ${[...ALLOWED.keys()].join(', ')}`, found);
}

function invalid(expected: string, found: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'assume_reading_invalid',
    message: `--assume-reading must be ${expected}, but it is ${JSON.stringify(found.slice(0, 200))}.`,
    hint: `Use a name and a value of billing.readings or billing.policy: ${[...ALLOWED].map(([name, values]) => `${name} (${values})`).join('; ')}`,
  });
}
