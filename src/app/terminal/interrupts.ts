/**
 * Ctrl-C and SIGTERM of the command: the first asks to drain, the second to stop. That npm or npx, which started it, has
 * ended counts as the first.
 */
export interface Interrupts {
  /** 0, 1 or more. */
  count(): number;
  /** Resolves at the first signal. */
  readonly first: Promise<void>;
  /** Calls the listener at each signal, at once if one has come already; returns what takes it off again. */
  onSignal(listener: (count: number) => void): () => void;
  release(): void;
}
