import type { PriceBook, UsageSemantics } from '../../contracts/price-book.ts';
import type { BillingSettings } from '../expect/billing-settings.ts';
import { recordedOutputs } from '../expect/told-output.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import type { FindingParts } from './make-finding.ts';
import { WORDING, type Words } from './wording.ts';

export interface TokenDifference {
  readonly field: 'input' | 'output' | 'cache_read' | 'cache_write';
  readonly client: bigint;
  readonly recorded: bigint;
}

/** Where the record's token counts differ from those the client was told; figures either side lacks are left out. */
export function tokenDifferences(
  settings: BillingSettings,
  call: PaidCall,
  record: ServedRecord,
): readonly TokenDifference[] {
  const usage = call.row?.usage ?? null;
  if (!call.text || usage === null || call.outcome !== 'ok') return [];
  const cached = BigInt((usage.cache_read ?? 0) + (usage.cache_write ?? 0));
  const input = usage.input === null ? null : BigInt(usage.input);
  const isBeside = settings.input_open
    ? input !== null && record.input === input - cached
    : settings.input_includes_cache === 'no';
  const beside = input !== null && isBeside ? input - cached : input;
  const pairs = [
    ['input', beside, record.input],
    ['output', toBigInt(usage.output), record.output],
    ['cache_read', toBigInt(usage.cache_read), record.cache_read],
    ['cache_write', toBigInt(usage.cache_write), record.cache_write],
  ] as const;
  return pairs.flatMap(([field, client, recorded]) =>
    client !== null && recorded !== null && client !== recorded ? [{ field, client, recorded }] : [],
  );
}

/**
 * True where the record counts the same tokens in another lawful way: input without those read from or written to the
 * cache, output with or without reasoning, as far as book and answer leave it open. With a right charge it is no fault.
 */
export function isLawfulCount(
  { input_includes_cache, output_includes_reasoning }: UsageSemantics,
  call: PaidCall,
  differences: readonly TokenDifference[],
): boolean {
  const usage = call.row?.usage ?? null;
  const { cache_read, cache_write, reasoning, input, output } = usage ?? {};
  const [read, write] = [cache_read ?? 0, cache_write ?? 0];
  const lawful = {
    input:
      input == null || input_includes_cache !== 'unknown'
        ? []
        : [input, input - read, input - write, input - read - write],
    output: usage === null ? [] : recordedOutputs(usage, output_includes_reasoning),
    cache_read: [],
    cache_write: [],
  };
  // How much of an output is reasoning only its answer tells: without it any less may be what is left.
  const isLess = (recorded: bigint): boolean =>
    output != null && reasoning == null && output_includes_reasoning !== 'yes' && recorded < BigInt(output);
  return differences.every(
    ({ field, recorded }) =>
      lawful[field].some((count) => BigInt(count) === recorded) || (field === 'output' && isLess(recorded)),
  );
}

/** False where a record has cached tokens and no book tells whether its input holds them: a few calls may show either. */
export function tellsInput(
  { usage_semantics }: Pick<PriceBook, 'usage_semantics'>,
  { cache_read, cache_write }: ServedRecord,
): boolean {
  const cached = (cache_read ?? 0n) + (cache_write ?? 0n);
  return cached === 0n || usage_semantics.input_includes_cache !== 'unknown';
}

function toBigInt(count: number | null): bigint | null {
  return count === null ? null : BigInt(count);
}

/**
 * How record and answer differ: by the reasoning tokens alone, counted once more or left out, or otherwise. Which of
 * both is told wrong, only the upstream's usage can decide.
 */
export function tokenFault(
  call: PaidCall,
  record: ServedRecord,
  differences: readonly TokenDifference[],
  due: string | null,
): Pick<FindingParts, 'class' | 'rule'> & Words {
  const [first] = differences;
  const reasoning = toBigInt(call.row?.usage?.reasoning ?? null) ?? 0n;
  if (reasoning > 0n && differences.length === 1 && first?.field === 'output') {
    const extra = first.recorded - first.client;
    if (extra === reasoning || extra === -reasoning) {
      const added = extra > 0n;
      return {
        class: 'reasoning_double_count',
        rule: added ? 'added' : 'omitted',
        ...WORDING.reasoning_double_count({
          output: first.client,
          reasoning,
          recorded: first.recorded,
          added,
        }),
      };
    }
  }
  const told = differences.map(
    ({ field, client, recorded }) => `${field} ${client} told, ${recorded} recorded`,
  );
  return {
    class: 'token_mismatch',
    rule: differences.map(({ field }) => field).join('+'),
    explanation: `Record ${record.id} counts other tokens than the answer: ${told.join('; ')}. ${due === null ? 'No price tells what that comes to.' : `By the answer ${due} is due.`}`,
    next_step:
      'Ask the operator where the difference comes from, with the request id and the usage object of the answer; should the answer have told wrong, ask for the usage of the upstream.',
  };
}
