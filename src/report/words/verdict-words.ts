import { WITHOUT_A_LOG } from '../../contracts/coverage-result.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { TITLE_OF } from '../../contracts/fault-class.ts';
import type { FindingGroup } from '../../contracts/finding.ts';
import type { LoadResult } from '../../contracts/load-result.ts';
import { isNotOurs } from '../../contracts/match-pass.ts';
import type { ClientVerdict, Result } from '../../contracts/result.ts';
import type { MoneyResult, TrafficSum } from '../../contracts/result-money.ts';
import type { StatementBridge } from '../../contracts/statement.ts';
import { guessWords } from '../../text/guess-words.ts';
import { plural } from '../../text/plural.ts';
import type { RpsShortfall } from '../../workload/peak-rate.ts';
import { overWords } from './accepted-words.ts';
import { billWords } from './bill-words.ts';
import { ABSENT, ms, percent, percents, rateText, signedUsd, sumText, usd } from './figure-text.ts';

export type VerdictTone = 'good' | 'warning' | 'bad';

/** Null where a call was started, or made, in the measured time. */
export function nothingMeasuredWords({ total }: LoadResult): string | null {
  const none = total.started === 0 && Object.keys(total.outcomes).length === 0;
  return none ? 'Nothing was measured: no call was started in the measured time' : null;
}

/** Null where a call succeeded, or none could have. */
export function allFailedWords({ load }: Pick<Result, 'load'>): string | null {
  if (load === null || load.total.ok > 0) return null;
  const { aborted = 0, interrupted = 0, ...failed } = load.total.outcomes;
  const count = Object.values(failed).reduce((sum, of) => sum + of, 0);
  if (count === 0) return null;
  const [most] = load.total.failures;
  const why =
    most === undefined
      ? ''
      : `, ${most.count} with ${[most.outcome, most.status].filter((part) => part !== null).join(' ')}`;
  const cut = aborted + interrupted === 0 ? '' : ', the others we ended ourselves';
  return `Every call failed: none of ${plural(count, 'call')} succeeded${why}${cut}.`;
}

/** The run in one sentence, and how it should look. */
export function headline(result: Result): { readonly tone: VerdictTone; readonly text: string } {
  const gating = result.findings.filter((group) => group.gates);
  if (gating.length > 0) {
    const count = gating.reduce((sum, group) => sum + group.gating, 0);
    const strange = strangersWords(result);
    if (strange !== null) return { tone: 'bad', text: strange };
    const untold = untoldWords(result);
    const text = `${wrongWords(result, plural(count, 'finding'))}${result.accepted
      .flatMap((each) => overWords(each) ?? [])
      .map((words) => ` ${words}.`)
      .join('')}`;
    return { tone: 'bad', text: untold === null ? text : `${text} ${sentence(untold)}` };
  }
  const reason = result.exit_codes[0];
  if (reason !== undefined) {
    const tone = reason.code === EXIT.objectives || reason.code === EXIT.target ? 'bad' : 'warning';
    return { tone, text: `${sentence(reason.why)}` };
  }
  const failed = allFailedWords(result);
  if (failed !== null) return { tone: 'bad', text: failed };
  // Of calls without records the bill of sums alone says what they cost.
  if (result.bucket_bill !== undefined && result.money?.charged === null)
    return { tone: 'good', text: `The bill matches the calls: ${billWords(result.bucket_bill)}.` };
  const nothing = nothingToJudge(result);
  if (nothing !== null) return { tone: 'warning', text: nothing };
  if (result.bill === 'none' && result.load !== null) return loadHeadline(result.load);
  if (result.money === null) return { tone: 'good', text: 'The load ran as planned. No bill was checked.' };
  const untold = untoldWords(result);
  if (untold !== null) {
    const notes = result.findings.length > 0 ? ' Smaller findings do not fail the audit.' : '';
    return { tone: 'warning', text: `${sentence(untold)}${notes}` };
  }
  if (result.findings.length > 0) {
    const notes = result.findings.reduce((sum, { causes }) => sum + causes, 0);
    return {
      tone: 'warning',
      text: `${matchedWords(result)}. ${plural(notes, 'smaller finding')} ${notes === 1 ? 'does' : 'do'} not fail the audit.`,
    };
  }
  if (result.coverage?.to_the_digit === 1) return { tone: 'good', text: `${matchedWords(result)}.` };
  return partlyChecked(result);
}

/** Below so much of the money a clean result says nothing of the bill. */
const LEAST_CHECKED = 0.5;

function partlyChecked({ coverage }: Result): ReturnType<typeof headline> {
  const checked = (coverage?.to_the_digit ?? 0) + (coverage?.within_bounds ?? 0);
  const share = percent(checked);
  return checked < LEAST_CHECKED
    ? { tone: 'warning', text: `Too little could be checked to judge: ${share} of the charged money.` }
    : { tone: 'good', text: `No wrong charge was found in the ${share} of the money that could be checked.` };
}

/** The load in one sentence, where there is nothing else to judge. */
function loadHeadline({ total }: LoadResult): ReturnType<typeof headline> {
  const sent = Object.values(total.outcomes).reduce((sum, count) => sum + count, 0);
  const asked = total.asked_rate === null ? '' : ` (${rateText(total.asked_rate)} asked)`;
  return {
    tone: total.ok === sent && total.dropped === 0 ? 'good' : 'warning',
    text: `${total.ok} of ${plural(sent, 'call')} succeeded, at ${rateText(total.achieved_rate)} starts/s${asked}.`,
  };
}

function matchedWords({ coverage }: Result): string {
  const charges = coverage?.charges ?? null;
  if (charges === null) return 'The charges match the price list';
  return `${charges.matched} of ${plural(charges.of, 'charge')} ${charges.of === 1 ? 'matches' : 'match'} the price list`;
}

/**
 * Null where a call has a record, or we made the calls. Where not one call of another program has, the wrong key is
 * likelier than a gateway that forgot all of them.
 */
function strangersWords({ load, basis, matching }: Result): string | null {
  if (load !== null || basis !== 'ledger' || matching === null) return null;
  const alone = matching.find(({ pass }) => pass === 'none')?.pairs ?? 0;
  const others = matching.some(({ pass, pairs }) => pass !== 'none' && !isNotOurs(pass) && pairs > 0);
  if (alone === 0 || others) return null;
  return `None of ${plural(alone, 'call')} has a usage record. Check first that key, target and period are those of the calls.`;
}

/** What is wrong for certain, however the open evidence turns out. A letter may ask for less of it. */
function wrongWords({ money }: Result, findings: string): string {
  const [over, under] = [money?.certain_over ?? null, money?.certain_under ?? null].map((sum) =>
    sum !== null && /[1-9]/.test(sum) ? usd(sum) : null,
  );
  if (over != null) {
    const less = under == null ? '' : ` Other charges are ${under} too low.`;
    return `${over} charged above the price list: ${findings}.${less}`;
  }
  if (under != null) return `The gateway charged ${under} less than its price list: ${findings}.`;
  return `The bill has ${findings}.`;
}

/** What of an audit without a ledger its records can decide, and what not; null where they decide all of it. */
function untoldWords({ coverage }: Result): string | null {
  const kinds = coverage?.of_records ?? [];
  const open = kinds.filter(({ untold }) => /[1-9]/.test(untold));
  if (open.length === 0) return null;
  const decided = kinds.filter((kind) => !open.includes(kind));
  return [
    ...decided.map(({ kind, charged, checked }) =>
      checked === charged
        ? `${KIND_WORDS[kind]}: checked`
        : `${KIND_WORDS[kind]}: ${usd(checked)} of ${usd(charged)} checked`,
    ),
    `${open.map(({ kind }) => KIND_WORDS[kind]).join(' and ')}: ${usd(sumText(open.map(({ untold }) => untold)))} of ${usd(sumText(open.map(({ charged }) => charged)))} ${WITHOUT_A_LOG}`,
  ].join('; ');
}

const KIND_WORDS = { text: 'text', image: 'images', video: 'videos' } as const;

/** Why a run without a fault is no good news. */
function nothingToJudge({ load, coverage }: Result): string | null {
  const unmeasured = load === null ? null : nothingMeasuredWords(load);
  if (unmeasured !== null) return `${unmeasured}.`;
  if (load?.total.ok === 0) return `None of ${plural(load.total.started, 'call')} succeeded.`;
  if (coverage?.to_the_digit === null) return 'Nothing was charged, so no charge could be checked.';
  return null;
}

export function moneyWords(result: Result): string {
  const { money, coverage } = result;
  if (money === null) return 'no bill was checked';
  return [
    checkedWords(coverage),
    `expected ${usd(money.expected)}`,
    `charged ${usd(money.charged)}`,
    `difference ${signedUsd(money.difference)}`,
    // charged = expected + difference + this, to the last digit.
    ...(/[1-9]/.test(money.open ?? '') ? [`${usd(money.open)} can't be told`] : []),
    ...(money.trial_records === 0 ? [] : [recordWords(money, money.trial_records)]),
  ].join(' · ');
}

/** What the user guessed, where the target has no prices; empty without a guess. */
export function guessLines({ assumed_usd_per_call: guess }: Result): readonly string[] {
  return guess === undefined ? [] : [guessWords(guess)];
}

/** How far the charged money was checked: all of it is told, or what is left out reads as a gap. */
export function checkedWords(coverage: Result['coverage']): string {
  const shares = [
    coverage?.to_the_digit,
    coverage?.within_bounds,
    coverage?.not_checkable,
    coverage?.provisional,
  ];
  const [digit = ABSENT, ...rest] = percents(shares.map((share) => share ?? null));
  const names = ['within bounds', 'not checkable', 'provisional'];
  const others = names.flatMap((name, index) =>
    (shares[index + 1] ?? 0) > 0 ? [`${rest[index] ?? ABSENT} ${name}`] : [],
  );
  return [`${digit} checked to the digit`, ...others].join(', ');
}

/** Null where the rounding is known, or cost no digit: nobody looks for the reason in a table of settings. */
export function roundingWords({ coverage }: Pick<Result, 'coverage'>): string | null {
  const silent = coverage?.settings.some(({ name, value }) => name === 'rounding' && value === 'undeclared');
  if (silent !== true || (coverage?.within_bounds ?? 0) === 0) return null;
  return 'The price list does not say how it rounds, so its charges cannot be checked to the last digit. Set billing.agreed[].rounding, or give a price list of your own.';
}

/** The statement's unexplained rest, with what it is the rest of. */
export function statementWords({ due, closing, unexplained }: StatementBridge): string {
  return `closing ${usd(closing)} · due ${usd(due)} · unexplained ${signedUsd(unexplained)}`;
}

/** The records of the trial are in the bill, and its calls not in the load's figures. */
export function recordWords({ records }: MoneyResult, trialRecords: number): string {
  const trial = trialRecords === 0 ? '' : `, ${trialRecords} of them of the trial`;
  return `${plural(records, 'usage record')}${trial}`;
}

/** What a bill without a ledger can be asked, and what it cannot. */
export function recordBasisWords({ coverage }: Pick<Result, 'coverage'>): string {
  const prices = coverage === null ? null : (coverage.to_the_digit ?? 0) + (coverage.within_bounds ?? 0);
  return `checked: duplicates, refunds, pending charges, sums, prices of ${percent(prices)}; not checked without a log of your calls: delivery, tokens`;
}

/** What is told of records that no call of the run explains, each with its name; empty where there is none. */
export function trafficWords({ money }: Result): readonly (readonly [name: string, words: string])[] {
  if (money === null) return [];
  const { foreign, known = [], unattributed } = money;
  const sum = ({ records, amount }: TrafficSum) => `${plural(records, 'record')} (${usd(amount)})`;
  return [
    ...(foreign.records === 0
      ? []
      : [
          [
            'Shared key',
            `${sum(foreign)} belong to no call of this run and were not judged: give the audit a key of its own`,
          ] as const,
        ]),
    ...(known.length === 0
      ? []
      : [['Known', known.map((each) => `${sum(each)} of calls of ${each.of}`).join(', ')] as const]),
    ...(unattributed === undefined
      ? []
      : [
          [
            'Unclear',
            `${sum(unattributed)} without a call: the ledger is incomplete, so they prove nothing`,
          ] as const,
        ]),
  ];
}

export function findingWords(group: FindingGroup): string {
  const delta = group.delta === null ? '' : ` ${signedUsd(group.delta)}`;
  const provisional = group.provisional === 0 ? '' : ` (${group.provisional} provisional)`;
  return `${TITLE_OF[group.class]} (${group.class}): ${countWords(group)}${delta}${provisional}`;
}

/** A finding over many rows is one finding, so rows and causes are told apart; else a finding is a row. */
function countWords({ rows, causes }: FindingGroup): string {
  return rows === causes ? plural(rows, 'finding') : `${plural(rows, 'row')}, ${plural(causes, 'cause')}`;
}

/** False for the audit of a bill that no run of ours made: there was nothing to drive. */
export function wasToDrive({
  client,
  basis,
  plan_hash,
}: Pick<Result, 'client' | 'basis' | 'plan_hash'>): boolean {
  return client !== null || basis === null || plan_hash !== null;
}

export function clientWords(client: ClientVerdict | null): string {
  if (client === null) return 'no load was made';
  const waits = client.rps_limit === null ? '' : `${rpsWords(client.rps_limit)}: starts waited for it; `;
  const skew = client.start_skew_ms == null ? [] : [`start skew ${ms(client.start_skew_ms)} ms`];
  if (client.verdict === 'client_limited') {
    const why =
      client.start_skew_ms === undefined ? 'Your machine was too busy' : 'A load engine was too busy';
    const told = client.reasons.some((reason) => reason.startsWith('start skew'));
    return `${why}. Ignore the latencies (client_limited): ${waits}${[...client.reasons, ...(told ? [] : skew)].join('; ')}`;
  }
  const lag = client.schedule_lag_p99_ms === null ? ABSENT : `${ms(client.schedule_lag_p99_ms)} ms`;
  const cpu = client.cpu_max === null ? ABSENT : `${client.cpu_max.toFixed(2)} cores`;
  return `kept up: ${waits}${[`schedule lag p99 ${lag}`, ...skew, `CPU at most ${cpu}`, 'no row lost'].join(', ')}`;
}

/** For the plan and the report alike. */
export function rpsWords({ rps, planned }: RpsShortfall): string {
  return `http.rps ${rps}/s is below the planned peak of ${planned}/s`;
}

function sentence(text: string): string {
  const upper = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(upper) ? upper : `${upper}.`;
}
