export interface LedgerProblem {
  readonly file: string;
  readonly line: number;
  readonly what: string;
  /** True where files of the run are missing or contradict each other: what is here is not the whole ledger. */
  readonly gap: boolean;
}
