import { shownSetting } from '../../contracts/coverage-result.ts';
import { isWhole } from '../../ledger/ledger-problem.ts';
import { bookShelf } from '../books/book-shelf.ts';
import { NOTHING_KNOWN } from '../input/reconcile-input.ts';
import { regressedRecords } from '../input/regressed-records.ts';
import type { CallMatch } from '../match/call-match.ts';
import type { MatchedRecords } from '../match/match-records.ts';
import { judgedTime, type WhoseTerms, whoseRecord } from '../match/whose-record.ts';
import { holdToReadings } from './assumed-readings.ts';
import { billingSettings } from './billing-settings.ts';
import { chargeOf } from './charge.ts';
import { chargedGroup } from './charged-group.ts';
import { flaggedEstimates } from './flagged-estimates.ts';
import type { JudgeContext } from './judge-context.ts';
import { retriedCalls } from './retried-calls.ts';
import { trustedShelf } from './trusted-shelf.ts';

/** Finds the settings of the bill in what was matched, and with them what each call should have cost. */
export function expectCharges(matched: MatchedRecords): JudgeContext {
  const { input, accepted, sweep, served, calls, others, matching } = matched;
  const settings = billingSettings(
    sweep.records,
    matching.matches,
    served,
    input.terms,
    accepted.telling,
    matched.cached,
  );
  holdToReadings(accepted, settings);
  const whole = isWhole(input.ledger);
  const whose: WhoseTerms = {
    // A record may be that of a call which is not here.
    key: whole ? input.key : 'shared',
    whole,
    time: judgedTime(calls, accepted, sweep),
    others,
    gone: (input.known ?? NOTHING_KNOWN).times,
  };
  const untried: JudgeContext = {
    plan: input.plan,
    key: whose.key,
    whose: (record) => whoseRecord(whose, record),
    sweep,
    shelf: served,
    settings,
    terms: input.terms,
    upstream: input.upstream,
    retried: retriedCalls(matching.matches, settings),
    recorded_as: namesOfModels(matching.matches),
    flagged_estimates: flaggedEstimates(matching.matches),
    regressed: regressedRecords(sweep, (record) => chargeOf(record, settings)),
  };
  const grouped = ofOurGroup(untried, matched);
  return { ...grouped, shelf: trustedShelf(grouped, matching.matches) };
}

/** Prices by the group that the charges show, where the price list has several and nobody declared ours. */
function ofOurGroup(context: JudgeContext, { input, matching }: MatchedRecords): JudgeContext {
  const found = chargedGroup(context, matching.matches);
  if (found === null) return context;
  const { group, evidence, contradicted } = found;
  const { settings } = context;
  const shown = [
    ...settings.shown,
    shownSetting({
      name: 'group',
      value: group === '' ? 'none' : (group ?? 'unknown'),
      evidence,
      basis: 'records',
    }),
  ];
  if (group === null) {
    const why = contradicted
      ? `no one group of the price list gives all charges: ${evidence}; set billing.group`
      : null;
    return {
      ...context,
      settings: {
        ...settings,
        shown,
        contradicted: [...settings.contradicted, ...(why === null ? [] : [why])],
      },
    };
  }
  const terms = { ...input.terms, group };
  const shelf = bookShelf(input.books, input.reads, terms);
  return { ...context, terms, shelf, settings: { ...settings, shown } };
}

function namesOfModels(matches: readonly CallMatch[]): JudgeContext['recorded_as'] {
  const names = new Map<string, Set<string>>();
  for (const { call, records } of matches) {
    const known = names.get(call.model) ?? new Set();
    for (const { asked_model } of records) known.add(asked_model);
    names.set(call.model, known);
  }
  return names;
}
