export interface LedgerProblem {
  readonly file: string;
  readonly line: number;
  readonly what: string;
  /** True where files or rows of the run are missing or contradict each other: what is here is not the whole ledger. */
  readonly gap: boolean;
}

/** Where it is not, a record without a call may be that of a call that is not here. */
export function isWhole({ problems }: { readonly problems: readonly LedgerProblem[] }): boolean {
  return !problems.some(({ gap }) => gap);
}
