import type { Finding } from '../../contracts/finding.ts';
import { type AmountBounds, withSum } from '../expect/charge.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { contradictions } from './contradictions.ts';
import { duplicateFindings } from './duplicate-findings.ts';
import { askJudges, type Judge } from './judge.ts';
import { judgeReserve } from './judge-reserve.ts';

/** A call and the records that charge for it. */
interface JudgedMatch {
  readonly context: JudgeContext;
  readonly call: PaidCall;
  /** The record whose charge is compared with what is due. */
  readonly main: ServedRecord;
  /** The records that make up the one charge, `main` among them. */
  readonly parts: readonly ServedRecord[];
  /** Surplus records: each is told as one, whatever else it says. */
  readonly extras: readonly ServedRecord[];
  /** Null where it cannot be read. */
  readonly charge: AmountBounds | null;
  /** Null where nothing tells what is due. */
  readonly charged_as_due: boolean | null;
}

const CALL_JUDGES: readonly Judge<JudgedMatch>[] = [
  {
    name: 'contradictions',
    question: 'Does each record name the model, the time and the end of its call?',
    classes: ['wrong_model_price', 'window_semantics', 'amount_mismatch'],
    warrants: ['observation', 'document', 'sentence'],
    judge: ({ context, call, parts, charged_as_due }) =>
      parts.flatMap((record) => contradictions(context, call, record, charged_as_due)),
  },
  {
    name: 'duplicates',
    question: 'Is the call charged once?',
    classes: ['duplicate_charge'],
    warrants: ['observation'],
    judge: ({ context, call, main, parts, extras }) =>
      duplicateFindings(context, call, withSum(main, parts, context.settings), extras),
  },
  {
    name: 'reserve',
    question: 'Did the call use no more than the spend cap held for it?',
    classes: ['settle_above_reserve'],
    warrants: ['observation'],
    judge: ({ context, call, main, charge }) => judgeReserve(context, call, main, charge),
  },
];

/** Asks every question about a call and its records but that of the amount, which `judgeCharge` answers. */
export function judgeMatch(match: JudgedMatch): readonly Finding[] {
  return askJudges(CALL_JUDGES, match);
}
