import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chain } from '../../chain/chain.ts';
import { salesOf } from '../../chain/sale.ts';
import type { AuditPeriod } from '../../contracts/audit-period.ts';
import type { ChainFinding, ChainResult } from '../../contracts/chain-result.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import type { ExitReason } from '../../contracts/result.ts';
import { parseAmount } from '../../core/amount.ts';
import { UPSTREAM_FILE } from '../../reconcile/input/load-reconcile-input.ts';
import type { Tolerances } from '../../reconcile/input/reconcile-input.ts';
import { readUpstream } from '../../reconcile/records/upstream-calls.ts';
import { chainFindingWords, unjoinedWords } from '../../report/words/chain-words.ts';
import { readTolerances } from '../folder/run-folder.ts';

export function hasUpstream(runDir: string): boolean {
  return existsSync(join(runDir, UPSTREAM_FILE));
}

/**
 * The judged bill against what the gateway bought; null where the folder tells nothing of that. `nonce`: by which a plan
 * marks its prompts. `period`: whose records were read, where no calls tell the time.
 */
export async function judgeChain(
  runDir: string,
  reconciliation: Reconciliation,
  { nonce, period }: { readonly nonce: string | null; readonly period: AuditPeriod | null },
): Promise<ChainResult | null> {
  if (!hasUpstream(runDir)) return null;
  const tolerances = readTolerances(runDir);
  return chain(salesOf(reconciliation, nonce), await readUpstream(join(runDir, UPSTREAM_FILE)), {
    gates: (finding) => gates(finding, tolerances),
    period: period && { from_ms: Date.parse(period.start), to_ms: Date.parse(period.end) },
  });
}

/** As findings of the bill do; where the tolerances name classes, they are those of the bill alone. */
function gates(
  { severity, amount }: Pick<ChainFinding, 'severity' | 'amount'>,
  { gate, gate_usd, gate_classes }: Tolerances,
): boolean {
  const least = parseAmount(gate_usd) ?? 0n;
  return (
    severity <= gate && gate_classes.length === 0 && (least <= 0n || (parseAmount(amount) ?? 0n) > least)
  );
}

/** Why the chain decides an exit status: what is wrong in it, and what leaves it without a conclusion. */
export function chainExits(judged: ChainResult | null): readonly ExitReason[] {
  if (judged === null) return [];
  const gating = judged.findings.filter((finding) => finding.gates);
  const open = unjoinedWords(judged);
  return [
    ...(gating.length === 0 ? [] : [{ code: EXIT.findings, why: `the chain: ${chainFindingWords(gating)}` }]),
    ...(open === null ? [] : [{ code: EXIT.inconclusive, why: `the chain: ${open}` }]),
  ];
}
