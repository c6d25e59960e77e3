import type { Claim } from '../../contracts/claim.ts';
import type { Finding } from '../../contracts/finding.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { formatAmount, type PicoUsd, parseAmount } from '../../core/amount.ts';
import { type Block, table } from '../sections/report-document.ts';
import { ABSENT } from '../words/figure-text.ts';

/** Money that a letter leaves aside, with the least and the most that it can come to. */
export interface NotClaimed {
  readonly what: 'provisional' | 'accepted' | 'small' | 'bounded' | 'weak' | 'uncaused' | 'under';
  readonly findings: number;
  /** USD; null where it is not known. */
  readonly lo: string | null;
  readonly hi: string | null;
  readonly words: string;
}

/** What may stand in a letter: a figure, by a warrant that is more than a habit. */
export function isDemandable({ confidence, warrant }: Finding): boolean {
  return (confidence === 'proved' || confidence === 'strong') && warrant.kind !== 'habit';
}

export function notClaimed(
  { findings, money }: Pick<Reconciliation, 'findings' | 'money'>,
  {
    claims,
    likely,
    accepted: held,
  }: {
    readonly claims: readonly Claim[];
    readonly likely: ReadonlySet<string>;
    /** Ids of findings that the configuration accepts. */
    readonly accepted: ReadonlySet<string>;
  },
): readonly NotClaimed[] {
  const all = findings.filter(({ direction, rows }) => direction === 'over' && rows === 1);
  const over = all.filter(({ id }) => !held.has(id));
  const accepted = all.filter(({ id }) => held.has(id));
  const awaited = over.filter(({ provisional }) => provisional);
  const final = over.filter(({ provisional }) => !provisional);
  const weak = final.filter((finding) => isWeak(finding));
  const bounded = final.filter((finding) => !isWeak(finding) && !isDemandable(finding));
  const charged = claims.reduce(
    (sum, { amount, held }) => sum + (parseAmount(amount) ?? 0n) - (parseAmount(held) ?? 0n),
    0n,
  );
  const likelyOnly = [...weak, ...bounded, ...accepted.filter(({ provisional }) => !provisional)]
    .filter(({ bridge }) => bridge !== 'held')
    .reduce((sum, { delta_min }) => sum + positive(parseAmount(delta_min)), 0n);
  const uncaused = (parseAmount(money.certain_over ?? '0') ?? 0n) - charged - likelyOnly;
  const under = parseAmount(money.certain_under ?? '0') ?? 0n;
  return [
    ...part('provisional', awaited, {
      words: `may still settle or be refunded${claimableFrom(awaited)}`,
    }),
    ...part('accepted', accepted, { words: 'accepted in the configuration for now' }),
    ...part('bounded', bounded, {
      words: 'what is due is not one figure: it lies within bounds, or the charge only breaks a habit',
    }),
    ...part('weak', weak, {
      words: 'rests on inferred prices, or on a match of call and record that is only likely',
    }),
    ...(uncaused > 0n
      ? [exactly('uncaused', uncaused, 'certainly too high, but no final finding proves why')]
      : []),
    ...(under > 0n
      ? [exactly('under', under, 'charged too little; it is not offset against the claim')]
      : []),
  ];
  function isWeak({ id, confidence }: Finding): boolean {
    return confidence === 'weak' || likely.has(id);
  }
}

/** Names what is left aside, in a letter and on a terminal. */
export const APART: { readonly [W in NotClaimed['what']]: string } = {
  provisional: 'provisional',
  accepted: 'accepted',
  small: 'below the least amount claimed',
  bounded: 'within bounds, or a habit',
  weak: 'likely only',
  uncaused: 'without a proved cause',
  under: 'charged too little',
};

/** One line for each kind of money that is left aside. */
export function apartTable(apart: readonly NotClaimed[]): Block {
  const rows = apart.map((each) => [
    APART[each.what],
    each.findings === 0 ? ABSENT : String(each.findings),
    apartSum(each),
    each.words,
  ]);
  return table(['what', '#findings', '#USD', 'why'], rows);
}

/** USD of what is left aside. */
export function apartSum({ lo, hi }: NotClaimed): string {
  return lo === hi ? (lo ?? ABSENT) : `${lo ?? ABSENT} to ${hi ?? 'not known'}`;
}

/** When the first of what is awaited, and all of it, can be claimed. */
export function claimableFrom(awaited: readonly { readonly deadline_at: string | null }[]): string {
  const ends = awaited.flatMap(({ deadline_at }) => deadline_at ?? []).toSorted();
  const [first, last] = [ends[0], ends.at(-1)];
  if (first === undefined) return '';
  return first === last
    ? `; can be claimed from ${first}`
    : `; can be claimed from ${first}, the last from ${last}`;
}

function exactly(what: NotClaimed['what'], amount: PicoUsd, words: string): NotClaimed {
  const text = formatAmount(amount);
  return { what, findings: 0, lo: text, hi: text, words };
}

function part(
  what: NotClaimed['what'],
  findings: readonly Finding[],
  { words }: { readonly words: string },
): readonly NotClaimed[] {
  if (findings.length === 0) return [];
  const bound = (side: 'delta_min' | 'delta_max') =>
    total(findings.map((finding) => parseAmount(finding[side])));
  return [{ what, findings: findings.length, lo: bound('delta_min'), hi: bound('delta_max'), words }];
}

function positive(amount: PicoUsd | null): PicoUsd {
  return amount !== null && amount > 0n ? amount : 0n;
}

function total(amounts: readonly (PicoUsd | null)[]): string | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length < amounts.length ? null : formatAmount(known.reduce((sum, amount) => sum + amount, 0n));
}
