import type { UntoldTerm } from '../../contracts/reconciliation.ts';

/** Each term as a gateway is asked for it, and the key of the configuration that declares it. */
const TERMS: { readonly [T in UntoldTerm]: { readonly asked: string; readonly key: string } } = {
  rounding: { asked: 'how amounts are rounded', key: 'billing.agreed[].rounding' },
  amount_meaning: { asked: 'whether an amount has its refund taken off', key: 'billing.readings.amount' },
  price_edition: {
    asked: 'which edition of the price list holds for a request',
    key: 'billing.book.file',
  },
};

/** What a bundle is: a claim demands its sum, a question asks for an explanation. */
export type LetterKind = 'claim' | 'question';

export function letterKind(untold: readonly UntoldTerm[]): LetterKind {
  return untold.length === 0 ? 'claim' : 'question';
}

/** Why a letter demands no sum, to the gateway. */
export function whyNoSum(untold: readonly UntoldTerm[]): string {
  const words = untold.map((term) => TERMS[term].asked);
  const [last = ''] = words.slice(-1);
  const before = words.slice(0, -1).join(', ');
  const all = before === '' ? last : `${before}${words.length > 2 ? ',' : ''} or ${last}`;
  return `We demand no sum yet: your documents and our agreement do not tell ${all}.`;
}

/** The same to the user: what is to be declared before a sum is demanded. */
export function declareWords(untold: readonly UntoldTerm[]): string {
  const keys = untold.map((term) => `${TERMS[term].asked} (${TERMS[term].key})`);
  return `no sum is demanded until the target publishes, or the configuration declares, ${keys.join('; ')}`;
}
