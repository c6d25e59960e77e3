/** What a walk served, as far as another one must serve it again. */
export interface WalkProof {
  readonly records: string;
  readonly repeats: string;
  readonly totals: string;
}
