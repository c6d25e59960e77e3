/** What a script of the bench is told. */
interface PeerLoadText {
  readonly root: string;
  readonly key: string;
  readonly model: string;
  readonly per_s: number;
  readonly seconds: number;
  readonly max_tokens: number;
  /** Where the summary goes. */
  readonly summary: string;
}
