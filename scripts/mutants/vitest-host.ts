import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { testEnvironment } from './execute.ts';
import { type VitestAnswer, type VitestAsk, vitestAnswer } from './vitest-messages.ts';
import type { VitestTarget } from './vitest-target.ts';

/** As long as `go test` gives a package. */
const LONGEST_RUN_MS = 600_000;
const CLOSING_MS = 30_000;

/** Asks one long-lived vitest, started in a copy of the tree at the first use; one run at a time. */
export class VitestHost {
  readonly #cwd: string;
  readonly #stale = new Set<string>();
  #child: ChildProcess | null = null;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** These files, by their paths in the tree, are not what they were: call it at each change, also at the way back. */
  changed(paths: readonly string[]): void {
    for (const path of paths) this.#stale.add(path);
  }

  /** Null where the process gave no answer; it is then started anew for the next run. */
  async run(target: VitestTarget): Promise<VitestAnswer | null> {
    const child = this.#child?.connected ? this.#child : await this.#start();
    if (child === null) return null;
    const ask: VitestAsk = { ...target, changed: [...this.#stale] };
    this.#stale.clear();
    child.send(ask);
    const answer = vitestAnswer.safeParse(await nextMessage(child));
    if (answer.success) return answer.data;
    await this.close();
    return null;
  }

  /** Lets the process end its workers first, which may be in a loop that the patch made endless. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    if (child.connected) child.disconnect();
    const late = setTimeout(() => child.kill('SIGKILL'), CLOSING_MS);
    await ended;
    clearTimeout(late);
  }

  async #start(): Promise<ChildProcess | null> {
    const child = fork(join(import.meta.dirname, 'vitest-lane.ts'), [], {
      cwd: this.#cwd,
      env: testEnvironment(),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    if ((await nextMessage(child)) !== 'ready') {
      child.kill('SIGKILL');
      return null;
    }
    // What was changed before the start is read as it is now.
    this.#stale.clear();
    this.#child = child;
    return child;
  }
}

/** The next message, or null when the process ended or said nothing for too long. */
function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((done) => {
    const settle = (message: unknown): void => {
      clearTimeout(late);
      child.off('message', settle).off('exit', ended).off('error', ended);
      done(message);
    };
    const ended = (): void => settle(null);
    const late = setTimeout(ended, LONGEST_RUN_MS);
    if (!child.connected) return settle(null);
    child.once('message', settle).once('exit', ended).once('error', ended);
  });
}
