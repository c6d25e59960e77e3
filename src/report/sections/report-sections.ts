import type { AuditPeriod } from '../../contracts/audit-period.ts';
import type { BaselineResult } from '../../contracts/comparison.ts';
import type { Plan } from '../../contracts/plan.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import type { Result } from '../../contracts/result.ts';
import type { StatementBridge } from '../../contracts/statement.ts';
import type { Measurement } from '../../measure/measure.ts';
import { plural } from '../../text/plural.ts';
import { signedUsd, usd } from '../words/figure-text.ts';
import { toolVersion } from '../words/tool-version.ts';
import { trialCalls } from '../words/trial-calls.ts';
import { booksSection } from './books-section.ts';
import { bucketSection } from './bucket-section.ts';
import { cacheSection } from './cache-section.ts';
import { capacitySection } from './capacity-section.ts';
import { chainSection } from './chain-section.ts';
import { comparisonTable } from './comparison-table.ts';
import {
  definitionsSection,
  evidenceSection,
  keysOf,
  summarySection,
  type UsedBook,
} from './evidence-section.ts';
import { findingsSection } from './findings-section.ts';
import { keysSection } from './keys-section.ts';
import { latencySection, loadSection } from './load-section.ts';
import { type Markup, markupSection } from './markup-section.ts';
import { moneySection } from './money-section.ts';
import { quoted, type RanCommand, type RunPlace, repeatSection } from './repeat-section.ts';
import { type ReportParts, type Section, table, text } from './report-document.ts';
import { undecidedSection } from './undecided-section.ts';

const MOST_RECEIPTS = 20;

/** What can be asked back or asked about. */
export interface ReportedClaims {
  readonly section: Section;
  /** USD that a letter can raise now; null where nothing is final. */
  readonly now: string | null;
  /** What can be raised later, and from when; null where nothing is awaited. */
  readonly later: { readonly usd: string; readonly from: string | null } | null;
  /** Text to send to the gateway; null where nothing can be raised now. */
  readonly letter: string | null;
}

/** Everything a report is rendered from. */
export interface ReportInput {
  readonly result: Result;
  /** Null for an audit of a past period, which `period` then tells of. */
  readonly plan: Plan | null;
  readonly period: AuditPeriod | null;
  readonly measurement: Measurement | null;
  readonly reconciliation: Reconciliation | null;
  /** By default that of a run folder named after its run in `reports/`. */
  readonly place?: RunPlace | undefined;
  /** Null where the run folder does not tell. */
  readonly command?: RanCommand | null | undefined;
  /** The price books in the run folder. */
  readonly books?: readonly UsedBook[] | undefined;
  /** Null where no price list was given. */
  readonly markup?: Markup | null | undefined;
  /** What can be asked back; null where nothing can. */
  readonly claims?: ReportedClaims | null | undefined;
}

/** The sections below the verdict, in reading order: what is wrong, then what was asked for, then what it rests on. */
export function reportSections(input: ReportInput): ReportParts {
  const { result, reconciliation } = input;
  const asked = [
    result.bucket_bill === undefined ? null : bucketSection(result.bucket_bill),
    result.statement === null ? null : statementSection(result.statement),
    result.chain === undefined ? null : chainSection(result.chain),
    result.capacity === null ? null : capacitySection(result.capacity),
    result.baseline === null ? null : baselineSection(result.baseline),
  ];
  return {
    main: present([
      reconciliation === null ? null : findingsSection(reconciliation),
      ...asked,
      result.load === null ? null : loadSection(result.load, result.bill !== 'none'),
      reconciliation === null ? null : booksSection(reconciliation.coverage.settings),
    ]),
    evidence: evidenceSections(input),
  };
}

function evidenceSections(input: ReportInput): readonly Section[] {
  const { result, plan, period, reconciliation, place, command, books, markup, claims } = input;
  const isTrial = reconciliation !== null && trialCalls(reconciliation).length > 0;
  return present([
    claims?.section ?? null,
    undecidedSection(result),
    ...(reconciliation === null
      ? []
      : [
          moneySection(reconciliation, result.money?.retried ?? null),
          cacheSection(reconciliation.cache),
          summarySection(result, reconciliation, keysOf(reconciliation, period?.keys ?? []), books ?? []),
        ]),
    markup == null ? null : markupSection(markup),
    result.load === null ? null : latencySection(result.load, result.bill !== 'none'),
    keysSection(result),
    evidenceSection(result),
    definitionsSection(result),
    plan === null ? null : repeatSection(plan, result, isTrial, place, command),
    period === null ? null : repeatPeriodSection(period, result, place),
  ]);
}

function present(sections: readonly (Section | null)[]): readonly Section[] {
  return sections.filter((section) => section !== null);
}

/** The account statement against what was judged. */
export function statementSection(bridge: StatementBridge): Section {
  const { receipts } = bridge;
  const shown = receipts.slice(0, MOST_RECEIPTS);
  const more = receipts.length - shown.length;
  return {
    id: 'statement',
    title: 'The account statement',
    blocks: [
      table(
        ['line', '#USD', 'meaning'],
        [
          ['opening', usd(bridge.opening), 'by the statement'],
          ['+ top-ups', usd(bridge.top_ups), plural(receipts.length, 'receipt')],
          ...(bridge.fees === undefined
            ? []
            : [['− fees', usd(bridge.fees), 'for top-ups and the like, by the statement']]),
          ['− settled', usd(bridge.settled), 'charges of our records before refunds'],
          ['+ refunds', usd(bridge.refunds), 'given back of settled charges'],
          ['− holds', usd(bridge.holds), 'reserves not settled yet'],
          ['− others', usd(bridge.others), 'charged to this key for calls that are not ours'],
          ['= due', usd(bridge.due), 'what should be left'],
          ['closing', usd(bridge.closing), 'by the statement'],
          [
            'unexplained',
            signedUsd(bridge.unexplained),
            'closing − due: nothing that was read accounts for it',
          ],
        ],
      ),
      ...(shown.length === 0
        ? []
        : [
            table(
              ['receipt', '#USD'],
              shown.map(({ request_id, amount }) => [request_id ?? 'without a request id', usd(amount)]),
            ),
          ]),
      ...(more > 0 ? [text(`and ${plural(more, 'receipt')} more`)] : []),
    ],
  };
}

/** The run against the one that it may not be worse than. */
function baselineSection({ run_id, limits, figures, unsound }: BaselineResult): Section {
  return {
    id: 'baseline',
    title: 'Against the baseline',
    blocks: [
      text(
        `Before is run ${run_id}, after is this one. A limit is plain: it is passed where a measure of this run is worse by more than it allows, and its interval leaves 0 out; without the latter the run is inconclusive. That one run passes a limit does not show that the target changed.`,
      ),
      ...(unsound.length === 0 ? [] : [text(`Times are not judged: ${unsound.join('; ')}.`)]),
      { type: 'intervals', figures },
      comparisonTable(figures),
      table(
        ['limit', 'kind', '#worse by at most'],
        limits.map(({ kind, measure, most }) => [
          measure,
          kind ?? 'every',
          `${Number((most * 100).toFixed(6))} %`,
        ]),
      ),
    ],
  };
}

/** How to audit the same period again, or only render it; neither sends a paid call. */
function repeatPeriodSection(
  period: AuditPeriod,
  result: Result,
  place: RunPlace = { out: null, name: period.run_id },
): Section {
  const folder = `${place.out === null ? '' : ` --out ${quoted(place.out)}`} --run ${quoted(place.name)}`;
  const keys = period.keys.length > 1 ? ' --key-file FILE …' : '';
  const times = `--from ${second(period.start)} --to ${second(period.end)}`;
  // Ledgers and records of files are named by whoever has them; the folder holds copies.
  const fromFiles = result.basis === 'ledger' || !URL.canParse(period.target.root);
  const commands = [
    '# this report again, from the folder: the same bytes',
    `weighbridge report${folder}`,
    ...(fromFiles
      ? []
      : [
          '# the same period read and judged again, for free, with the key in WEIGHBRIDGE_API_KEY_FILE',
          `weighbridge reconcile --target ${quoted(period.target.root)} ${times}${keys}`,
        ]),
  ];
  return {
    id: 'repeat',
    title: 'How to repeat it',
    blocks: [
      { type: 'code', text: commands.join('\n') },
      table(
        ['part', 'value'],
        [
          ['run', result.run_id],
          ['target', result.target],
          ['period', `${second(period.start)} until ${second(period.end)}, the end not inside`],
          ['keys (fingerprints)', period.keys.join(', ')],
          ['weighbridge', toolVersion(result.tool)],
        ],
      ),
    ],
  };
}

function second(instant: string): string {
  return instant.replace(/\.000Z$/, 'Z');
}
