import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanEnv } from '../run-weighbridge.ts';

/** Of half a second: on a quiet machine it waits for no more than its own neighbours here. */
const STARVED_MS = 250;

const SCRIPT = resolve(import.meta.dirname, 'live-daemon-child.ts');

interface LiveDaemonOptions {
  /** Its configuration, and where its state stands; its log stands beside that. */
  readonly file: string;
  readonly state: string;
  readonly env: Readonly<Record<string, string>>;
  /** How much faster than configured its probes run and its own calls are audited. */
  readonly timeScale: number;
}

/** A probe daemon in a process of its own: what is measured is its own work, and a scrape waits for nobody else's. */
export class LiveDaemon {
  readonly url: string;
  /** When it had waited long for a processor, in milliseconds since the epoch. */
  readonly starved_at: readonly number[];
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;

  private constructor(
    url: string,
    starved_at: readonly number[],
    child: ChildProcess,
    exit: Promise<unknown>,
  ) {
    this.url = url;
    this.starved_at = starved_at;
    this.#child = child;
    this.#exit = exit;
  }

  static async start({ file, state, env, timeScale }: LiveDaemonOptions): Promise<LiveDaemon> {
    const log = openSync(`${state}.log`, 'a');
    const child = spawn(process.execPath, [SCRIPT, file, state, String(timeScale)], {
      stdio: ['ignore', 'pipe', log],
      env: cleanEnv(env),
    });
    const exit = once(child, 'exit');
    closeSync(log);
    const lines = createInterface(stdoutOf(child));
    const starved_at: number[] = [];
    const line = new Promise<string>((resolve) => {
      lines.on('line', (text) => {
        const waited_ms = /^waited (\d+) ms$/.exec(text)?.[1];
        if (waited_ms === undefined) resolve(text);
        else if (Number(waited_ms) >= STARVED_MS) starved_at.push(Date.now());
      });
    });
    const ended = exit.then(([code]) => {
      throw new Error(`the daemon ended with ${code}:\n${readFileSync(`${state}.log`, 'utf8').slice(-2000)}`);
    });
    const url = await Promise.race([line, ended]);
    ended.catch(() => undefined);
    return new LiveDaemon(url, starved_at, child, exit);
  }

  /** True where the file was taken. */
  async reload(): Promise<boolean> {
    return (await fetch(`${this.url}/-/reload`, { method: 'POST' })).ok;
  }

  /** A process that has just begun is slow: until each probe has run, and for two seconds none was skipped. */
  async settled(): Promise<void> {
    for (let before = -1; ; ) {
      const lines = (await (await fetch(`${this.url}/metrics`)).text()).split('\n');
      const of = (name: string): readonly string[] => lines.filter((line) => line.startsWith(`${name}{`));
      // One that has nothing to ask about is paused, for as long as that is so.
      const skipped = of('weighbridge_probe_skipped_total')
        .filter((line) => !line.includes('reason="paused"'))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
      const planned = of('weighbridge_probe_interval_seconds').length;
      // That which waits for an open task may have found none yet.
      const ran = of('weighbridge_probe_last_run_timestamp_seconds').length >= planned - 1;
      if (planned > 0 && ran && skipped === before) return;
      before = ran ? skipped : -1;
      await sleep(2_000);
    }
  }

  async end(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#exit;
  }

  /** Where the test is over or has failed. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exit;
  }
}

function stdoutOf({ stdout }: ChildProcess): Readable {
  if (stdout === null) throw new TypeError('stdout is a pipe');
  return stdout;
}
