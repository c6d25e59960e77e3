import type { PicoUsd } from '../../../src/core/amount.ts';
import { isNameless } from '../../../test/support/decidable.ts';
import type { Mark } from '../power-tables.ts';
import type { AbroadWorld } from './abroad-worlds.ts';
import type { GradedAudit } from './grade-abroad.ts';

/** What one auditor said of one world. */
export interface Heard extends Pick<AbroadWorld, 'readings' | 'planted'> {
  readonly audits: readonly GradedAudit[];
}

const MOST_UNDECIDED = 0.1;
const OPEN_MEDIAN = 0.1;
const OPEN_P90 = 0.3;
const LEAST_DECIDABLE = 0.7;

/** The marks of one auditor over all worlds. */
export function abroadMarks(heard: readonly Heard[]): readonly Mark[] {
  const honest = heard.filter(({ planted }) => !planted);
  const accused = honest.flatMap(({ audits }) => audits.flatMap(({ accusations }) => accusations)).length;
  const claims = honest.flatMap(({ audits }) => audits).reduce((sum, audit) => sum + audit.claims, 0);
  const served = honest.filter(isServed);
  const undecided = served.filter(({ audits }) => own(audits)?.inconclusive.length !== 0).length;
  const open = served
    .filter(({ readings }) => !isNameless(readings, 'run') && readings.book_declares)
    .flatMap(({ audits }) => openShare(own(audits)))
    .sort((left, right) => left - right);
  const faults = heard.flatMap(({ audits }) => audits.flatMap((audit) => audit.faults));
  const decidable = faults.filter(({ what }) => what !== 'beyond');
  const count = (what: string): number => faults.filter((fault) => fault.what === what).length;
  const besides = heard
    .filter(({ planted }) => planted)
    .flatMap(({ audits }) => audits.flatMap(({ accusations }) => accusations)).length;
  const untrue = heard.flatMap(({ audits }) => audits.flatMap((audit) => audit.untrue)).length;
  const inRuns = heard.filter(isServed).flatMap(({ audits }) => own(audits)?.faults ?? []);
  const share = ratio(dollars(inRuns.filter(({ what }) => what !== 'beyond')), dollars(inRuns));
  return [
    {
      text: 'honest worlds: no finding that gates',
      met: accused === 0,
      is: `${accused} in ${honest.length}`,
    },
    { text: 'honest worlds: no line of a letter', met: claims === 0, is: `${claims}` },
    {
      text: 'honest worlds without a conclusion: at most 10 %',
      met: undecided <= served.length * MOST_UNDECIDED,
      is: `${undecided} of ${served.length} that serve usage and prices`,
    },
    {
      text: 'open money where ids and rounding are told: median at most 10 %, 90th percentile 30 %',
      met: open.length > 0 && at(open, 0.5) <= OPEN_MEDIAN && at(open, 0.9) <= OPEN_P90,
      is: `${percent(at(open, 0.5))}, ${percent(at(open, 0.9))} of ${open.length} worlds`,
    },
    {
      text: 'faults that are decidable: all found, class and direction right',
      met: decidable.length > 0 && count('missed') === 0,
      is: `${count('missed')} missed of ${decidable.length}; ${count('beyond')} beyond`,
    },
    {
      text: 'their delta exact where proved, else at most twice as wide as the bound',
      met: decidable.length > 0 && count('wide') === 0,
      is: `${count('wide')} not`,
    },
    {
      text: 'of what is planted in runs where usage and prices are served, at least 70 % of the dollars are decidable',
      met: share >= LEAST_DECIDABLE,
      is: percent(share),
    },
    {
      text: 'worlds with faults: nothing gates on a call without one',
      met: besides === 0,
      is: `${besides}`,
    },
    {
      text: 'sums add up and bounds hold what is due, in all worlds',
      met: untrue === 0,
      is: `${untrue} not`,
    },
  ];
}

/** Without records, or a price to hold them to, no amount can be told. */
function isServed({ readings }: Heard): boolean {
  return readings.missing !== 'usage' && readings.missing !== 'pricebook';
}

/** The audit of a run: with a ledger of our own. */
function own(audits: readonly GradedAudit[]): GradedAudit | undefined {
  return audits.find(({ manner }) => manner === 'run');
}

function openShare(audit: GradedAudit | undefined): readonly number[] {
  return audit?.charged == null || audit.charged <= 0n ? [] : [ratio(audit.open, audit.charged)];
}

function dollars(faults: readonly { readonly wrong_by: PicoUsd }[]): PicoUsd {
  return faults.reduce((sum, { wrong_by }) => sum + wrong_by, 0n);
}

const SCALE = 1_000_000n;

function ratio(part: PicoUsd, whole: PicoUsd): number {
  return whole === 0n ? 0 : Number((part * SCALE) / whole) / Number(SCALE);
}

function at(sorted: readonly number[], quantile: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? 0;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
