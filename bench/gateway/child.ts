import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { CLOCK_TICKS_PER_S } from '../common/busy-cpu.ts';
import { onCore } from '../common/pinning.ts';

/** A process of the bench on one core, asked by messages, one at a time. */
export class Child {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  /** Resolves with its first message. */
  static async start(
    file: string,
    core: number,
    args: readonly string[] = [],
    flags: readonly string[] = [],
  ): Promise<{ child: Child; first: unknown }> {
    const node = [
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      ...flags,
      new URL(file, import.meta.url).pathname,
    ];
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
    const stat = readFileSync(`/proc/${this.#pid}/stat`, 'utf8');
    // The name in parentheses may hold blanks; utime and stime are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_TICKS_PER_S;
  }

  /** Resident memory, kB of 1,000 bytes. */
  rssKb(): number {
    const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.#pid}/status`, 'utf8'))?.[1];
    return (Number(kib) * 1024) / 1000;
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

  async #message(): Promise<unknown> {
    const exited = once(this.#process, 'exit').then(([code]) => {
      throw new Error(`a process of the bench ended with ${code}`);
    });
    const [message] = await Promise.race([once(this.#process, 'message'), exited]);
    return message;
  }
}
