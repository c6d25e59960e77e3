import * as z from 'zod';
import type { FaultDefinition, FaultSubject } from '../hooks/fault-definition.ts';
import { ENDPOINTS, type Endpoint, KIND_OF, PAID_ENDPOINTS } from '../http/endpoints.ts';
import { FAULTS } from './fault-registry.ts';

export interface ListedParameter {
  readonly name: string;
  /** Such as `integer 0 to 600000`, or the values it may have. */
  readonly takes: string;
  /** Null: it has to be given. */
  readonly default: string | number | boolean | null;
  readonly description: string;
}

/** A fault as the list of `--list-faults` and the documentation show it. */
export interface ListedFault extends Pick<FaultDefinition, 'id' | 'charge' | 'summary'> {
  readonly parameters: readonly ListedParameter[];
  /** Which requests it can hit, in words. */
  readonly hits: string;
  readonly endpoints: readonly Endpoint[];
}

/** Every fault of this gateway, in the order of the registry. */
export function listFaults(): readonly ListedFault[] {
  return FAULTS.map((fault) => ({
    id: fault.id,
    parameters: parametersOf(fault),
    hits: hitsOf(fault),
    endpoints: ENDPOINTS.filter(
      (endpoint) => hit(fault, endpoint, false) || (isText(endpoint) && hit(fault, endpoint, true)),
    ),
    charge: fault.charge,
    summary: fault.summary,
  }));
}

function parametersOf(fault: FaultDefinition): ListedParameter[] {
  const { properties = {} } = z.toJSONSchema(z.strictObject(fault.shape), { io: 'input' });
  return Object.entries(properties).map(([name, schema]) => {
    if (typeof schema === 'boolean') throw new Error(`${fault.id}: expected a schema for ${name}`);
    const { description = '' } = schema;
    return { name, takes: takes(schema), default: defaultOf(schema.default), description };
  });
}

function defaultOf(value: unknown): string | number | boolean | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function takes(schema: z.core.JSONSchema.JSONSchema): string {
  if (schema.enum !== undefined) return schema.enum.map(String).join(', ');
  const least = schema.minimum ?? schema.exclusiveMinimum;
  const most = schema.maximum;
  const range = least === undefined ? '' : ` ${least} to ${most ?? 'any'}`;
  const length = schema.maxLength === undefined ? '' : ` of at most ${schema.maxLength} characters`;
  return `${schema.type === 'string' ? 'text' : (schema.type ?? 'value')}${range}${length}`;
}

const isPaid = (endpoint: Endpoint): boolean => PAID_ENDPOINTS.some((paid) => paid === endpoint);
const isText = (endpoint: Endpoint): boolean =>
  endpoint === '/v1/chat/completions' || endpoint === '/v1/responses' || endpoint === '/v1/messages';

const SETS: readonly { readonly name: string; readonly holds: (endpoint: Endpoint) => boolean }[] = [
  { name: 'every request', holds: () => true },
  { name: 'every paid call', holds: isPaid },
  { name: 'every read', holds: (endpoint) => !isPaid(endpoint) },
  { name: 'every request but the price book', holds: (endpoint) => endpoint !== '/pricing.usd.json' },
  { name: 'every request of `/v1`', holds: (endpoint) => endpoint.startsWith('/v1/') },
  { name: 'text calls', holds: isText },
  { name: 'image calls', holds: (endpoint) => /^\/v1\/images\/(generations|edits)/.test(endpoint) },
  { name: 'video calls', holds: (endpoint) => /^\/v1\/videos(\/generations)?$/.test(endpoint) },
  {
    name: 'image and video calls',
    holds: (endpoint) => isPaid(endpoint) && !isText(endpoint),
  },
  {
    name: 'tasks: image jobs and videos',
    holds: (endpoint) => isPaid(endpoint) && /jobs$|^\/v1\/videos/.test(endpoint),
  },
];

/** The name of the set of endpoints, or all of them; whether streams or other answers only. */
function hitsOf(fault: FaultDefinition): string {
  const plain = ENDPOINTS.filter((endpoint) => hit(fault, endpoint, false));
  const streamed = ENDPOINTS.filter((endpoint) => isText(endpoint) && hit(fault, endpoint, true));
  if (plain.length === 0) {
    return streamed.length === 3
      ? 'streams'
      : `streams of ${streamed.map((name) => `\`${name}\``).join(', ')}`;
  }
  const named = SETS.find(({ holds }) =>
    ENDPOINTS.every((endpoint) => holds(endpoint) === plain.includes(endpoint)),
  );
  const where = named?.name ?? plain.map((endpoint) => `\`${endpoint}\``).join(', ');
  const textOnes = plain.filter(isText);
  const noStreams = textOnes.length > 0 && streamed.length === 0;
  return noStreams ? `${where}, streams excepted` : where;
}

function hit(fault: FaultDefinition, endpoint: Endpoint, stream: boolean): boolean {
  const paid = PAID_ENDPOINTS.find((candidate) => candidate === endpoint);
  const subject: FaultSubject = {
    endpoint,
    kind: paid === undefined ? null : KIND_OF[paid],
    model: 'aspen-mini',
    keyFingerprint: null,
    keyOrdinal: 1,
    stream,
  };
  return fault.applies(subject);
}
