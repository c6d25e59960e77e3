/** What docs/errors.md says about one error code. Each text is whole sentences of at most 25 words. */
export interface ErrorEntry {
  /** Exit status; without it 2, since what the user gave is at fault. */
  readonly exit?: number;
  /** What happened. */
  readonly means: string;
  /** Why the program stops there. It is printed with the error. */
  readonly why: string;
  /** What the reader can do about it. */
  readonly fix: string;
}
