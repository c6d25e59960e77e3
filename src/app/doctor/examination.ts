/** What an examination saw. `fix` says what mends it, and is null where nothing is to be mended. */
export interface Seen {
  /** `problem` keeps a command from its work; `warning` does not; `not asked`: there is nothing to look at. */
  readonly state: 'ok' | 'warning' | 'problem' | 'not asked';
  readonly found: string;
  readonly fix: string | null;
  /** Exit code of a problem: 3 where the target or its credentials are at fault. Default: 2. */
  readonly exit?: 2 | 3;
}

/** One thing that `doctor` looks at. */
export interface Examination {
  readonly name: string;
  /** Changes nothing, costs nothing. */
  look(): Seen | Promise<Seen>;
  /** What `--fix` does about it; absent where only people can. */
  readonly mend?: (() => void | Promise<void>) | undefined;
}

export function ok(found: string): Seen {
  return { state: 'ok', found, fix: null };
}

export function notAsked(found: string): Seen {
  return { state: 'not asked', found, fix: null };
}

export function warning(found: string, fix: string): Seen {
  return { state: 'warning', found, fix };
}

/** `exit`: 3 where the target or its credentials are at fault. */
export function blocking(found: string, fix: string, exit: 2 | 3 = 2): Seen {
  return { state: 'problem', found, fix, exit };
}
