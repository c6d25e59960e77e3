import type { CallUsage } from '../../contracts/ledger-lines.ts';
import type { UsageSemantics } from '../../contracts/price-book.ts';
import { asInteger, asObject } from '../../wire/json-fields.ts';

type Counts = Pick<CallUsage, 'input' | 'output' | 'reasoning' | 'raw'>;
type Holds = UsageSemantics['output_includes_reasoning'];

/**
 * All output tokens of an answer, its reasoning among them: several figures where nothing tells whether its count
 * holds that. The interface does not say; a total in the answer does.
 */
function wholeOutputs(usage: Counts): readonly bigint[] {
  const { output } = usage;
  if (output === null) return [];
  const inside = BigInt(output);
  const reasoning = BigInt(usage.reasoning ?? 0);
  if (reasoning === 0n) return [inside];
  const beside = inside + reasoning;
  const total = asInteger(asObject(usage.raw)?.['total_tokens']);
  if (total === null || usage.input === null) return [inside, beside];
  const told = [inside, beside].filter((whole) => BigInt(usage.input ?? 0) + whole === BigInt(total));
  return told.length > 0 ? told : [inside, beside];
}

/** Counts of output that a record may have, by what the book tells of reasoning in them. */
export function recordedOutputs(usage: Counts, holds: Holds): readonly bigint[] {
  return wholeOutputs(usage).flatMap((whole) => recordedOf(whole, usage, holds));
}

function recordedOf(whole: bigint, { reasoning }: Counts, holds: Holds): readonly bigint[] {
  const left = whole - BigInt(reasoning ?? 0);
  if (holds === 'unknown') return [whole, left];
  return holds === 'yes' ? [whole] : [left];
}

/** Of all outputs that an answer may have had those that its record counts, where it counts one of them. */
export function wholesByRecord(usage: Counts, holds: Holds, recorded: bigint | null): readonly bigint[] {
  const wholes = wholeOutputs(usage);
  const fitting = wholes.filter(
    (whole) => recorded !== null && recordedOf(whole, usage, holds).includes(recorded),
  );
  return fitting.length > 0 ? fitting : wholes;
}
