import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { cleanEnv, ROOT } from './run-weighbridge.ts';

const logLine = z.looseObject({
  msg: z.string(),
  probe: z.string().optional(),
  api: z.string().nullish(),
  error_type: z.string().nullish(),
  task: z.string().optional(),
});
export type LogLine = z.infer<typeof logLine>;

/** `weighbridge probe` as a process of its own, and what it says. */
export class ProbeProcess {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #exit: Promise<unknown[]>;
  readonly lines: LogLine[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #serving: Promise<string>;
  output = '';

  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    this.#child = spawn(process.execPath, [join(ROOT, 'bin/weighbridge.mjs'), 'probe', ...args], {
      env: cleanEnv(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#exit = once(this.#child, 'close');
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#serving = promise;
    createInterface(this.#child.stdout).on('line', (line) => {
      this.output += `${line}\n`;
      const url = /metrics at (\S+)\/metrics/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
    createInterface(this.#child.stderr).on('line', (line) => {
      this.output += `${line}\n`;
      if (!line.startsWith('{')) return;
      this.lines.push(logLine.parse(JSON.parse(line)));
      for (const look of this.#waiting) look();
    });
    onTestFinished(() => this.end('SIGKILL').then(() => undefined));
  }

  /** Its address, once it serves; throws with what it said where it ended instead. */
  url(): Promise<string> {
    return Promise.race([this.#serving, this.#ended()]);
  }

  /** The first line of the log that is it, from a place in it on. */
  async until(isIt: (line: LogLine) => boolean, from = 0): Promise<LogLine> {
    const found = new Promise<LogLine>((resolve) => {
      const look = () => {
        const line = this.lines.slice(from).find(isIt);
        if (line === undefined) return;
        this.#waiting.delete(look);
        resolve(line);
      };
      this.#waiting.add(look);
      look();
    });
    return Promise.race([found, this.#ended()]);
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Its exit status; null after a signal. */
  async end(name: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(name);
    await this.#exit;
    return this.#child.exitCode;
  }

  async #ended(): Promise<never> {
    await this.#exit;
    throw new Error(`the daemon ended with ${this.#child.exitCode}:\n${this.output}`);
  }
}
