import * as z from 'zod';
import { nearestName } from '../../config/nearest-name.ts';
import { PAID_KINDS } from '../../core/call-kind.ts';
import type { FaultDefinition } from '../hooks/fault-definition.ts';
import { ENDPOINTS } from '../http/endpoints.ts';
import { FAULTS } from './fault-registry.ts';
import { SCENARIOS } from './scenarios/scenarios.ts';

const FINGERPRINT = /^[0-9a-f]{16}$/;
const LONGEST_MODEL_ID = 191;

const select = z
  .strictObject({
    endpoint: z.enum(ENDPOINTS).optional().describe('Path of the request, with its placeholder.'),
    kind: z.enum(PAID_KINDS).optional().describe('Paid calls of this kind.'),
    paid: z.boolean().optional().describe('Paid calls, or reads.'),
    stream: z.boolean().optional().describe('Calls that ask for a stream, or those that do not.'),
    model: z.string().min(1).max(LONGEST_MODEL_ID).optional().describe('Exact model id.'),
    key_fp: z
      .string()
      .regex(FINGERPRINT, { error: 'must be 16 hex digits: the start of the SHA-256 of the key' })
      .optional()
      .describe('First 16 hex digits of the SHA-256 of the key.'),
  })
  // An id: the JSON Schema has it once, not in every fault.
  .meta({ id: 'select', description: 'Which requests the fault may hit; without it, all that it can.' });

const TRIGGERS = ['probability', 'nth', 'first', 'every'] as const;

const when = z
  .strictObject({
    probability: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Share of the selected requests, by seeded decision.'),
    nth: z.int().min(1).optional().describe('Only the n-th selected request, counted from 1.'),
    first: z.int().min(1).optional().describe('The first n selected requests.'),
    every: z.int().min(1).optional().describe('Every n-th selected request.'),
  })
  .refine((given) => TRIGGERS.filter((name) => given[name] !== undefined).length === 1, {
    error: `must have exactly one of ${TRIGGERS.join(', ')}`,
  })
  .meta({
    id: 'when',
    description: 'When the fault fires.',
    oneOf: TRIGGERS.map((name) => ({ required: [name] })),
  });

/** One entry as parsed: the same form for every fault. */
const parsedEntry = z.strictObject({
  fault: z.string(),
  select: select.optional(),
  when,
  parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
});
export type FaultEntry = z.infer<typeof parsedEntry>;

const ids = FAULTS.map((fault) => fault.id);
const [first, ...rest] = FAULTS.map(entrySchema);
if (first === undefined) throw new RangeError('the fault registry is empty');

const entry = z
  .discriminatedUnion('fault', [first, ...rest], { error: unknownFault })
  .transform((given) => parsedEntry.parse(given));

export const faultPlanSchema = z
  .strictObject({
    scenarios: z
      .array(z.enum(SCENARIOS.map(({ name }) => name)))
      .optional()
      .describe('Named scenarios; their faults stand before those of the plan.'),
    faults: z.array(entry).optional(),
  })
  .refine(({ scenarios, faults }) => scenarios !== undefined || faults !== undefined, {
    error: 'must have faults, scenarios or both',
  })
  .meta({
    description: 'Faults that the embedded gateway commits on purpose.',
    anyOf: [{ required: ['scenarios'] }, { required: ['faults'] }],
  })
  .transform(
    ({ scenarios = [], faults = [] }): FaultPlan => ({
      faults: [...scenarios.flatMap((name) => faultsOfScenario(name)), ...faults],
    }),
  );

/** What the gateway does wrong on purpose, and to which calls. */
export interface FaultPlan {
  readonly faults: readonly FaultEntry[];
}

export const NO_FAULTS: FaultPlan = { faults: [] };

/** The faults of a named scenario as a plan has them. Throws RangeError for a name that is none. */
export function faultsOfScenario(name: string): readonly FaultEntry[] {
  const scenario = SCENARIOS.find((candidate) => candidate.name === name);
  if (scenario === undefined) throw new RangeError(`no scenario ${name}`);
  return scenario.faults.map((given) => entry.parse(given));
}

function entrySchema(fault: FaultDefinition) {
  const parameters = z.strictObject(fault.shape);
  const needed = !parameters.safeParse({}).success;
  return z.strictObject({
    fault: z.literal(fault.id).describe(fault.summary),
    select: select.optional(),
    when,
    parameters: needed ? parameters : parameters.prefault({}),
  });
}

function unknownFault(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_union') return undefined;
  const { input } = issue;
  const found = input !== null && typeof input === 'object' && 'fault' in input ? String(input.fault) : '';
  const near = nearestName(found, ids);
  return near === null ? `must be one of ${ids.join(', ')}` : `unknown fault; did you mean "${near}"?`;
}
