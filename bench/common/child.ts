import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onCore } from './pinning.ts';
import { cpuMsOf, rssKbOf } from './process-usage.ts';

/** A process of the bench on one core, asked by messages, one at a time. */
export class Child {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  /** Resolves with its first message. */
  static async start(
    file: URL,
    core: number,
    args: readonly string[] = [],
    flags: readonly string[] = [],
  ): Promise<{ child: Child; first: unknown }> {
    const node = [process.execPath, '--disable-warning=ExperimentalWarning', ...flags, file.pathname];
    const [command = '', ...rest] = onCore(core, [...node, ...args]);
    const started = spawn(command, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const child = new Child(started);
    return { child, first: await child.#message() };
  }

  async ask(question: object): Promise<unknown> {
    const answer = this.#message();
    this.#process.send(question);
    return answer;
  }

  /** CPU time so far, user and system, ms. */
  cpuMs(): number {
    return cpuMsOf(this.#pid);
  }

  /** Resident memory, kB of 1,000 bytes. */
  rssKb(): number {
    return rssKbOf(this.#pid);
  }

  async stop(): Promise<void> {
    const gone = once(this.#process, 'exit');
    this.#process.disconnect();
    await gone;
  }

  get #pid(): number {
    if (this.#process.pid === undefined) throw new Error('the process did not start');
    return this.#process.pid;
  }

  /** The next message that nobody asked for. */
  next(): Promise<unknown> {
    return this.#message();
  }

  async #message(): Promise<unknown> {
    const answered = new AbortController();
    const { signal } = answered;
    const exited = once(this.#process, 'exit', { signal }).then(([code]) => {
      throw new Error(`a process of the bench ended with ${code}`);
    });
    try {
      const [message] = await Promise.race([once(this.#process, 'message', { signal }), exited]);
      return message;
    } finally {
      answered.abort();
    }
  }
}
