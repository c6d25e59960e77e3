import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { CLIENT_CORE, onCore } from '../common/pinning.ts';
import { cpuMsOf, rssKbOf } from '../common/process-usage.ts';

const ENTRY = fileURLToPath(new URL('../../bin/weighbridge.mjs', import.meta.url));

/** `weighbridge probe` as a user starts it, in a process and on a core of its own. */
export class WatchingDaemon {
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #pid: number;

  private constructor(process: ChildProcess, pid: number, url: string) {
    this.#process = process;
    this.#pid = pid;
    this.url = url;
  }

  static async start(
    config: string,
    state: string,
    api_key: string,
    flags: readonly string[] = [],
  ): Promise<WatchingDaemon> {
    const args = ['probe', '--config', config, '--state', state, '--listen', '127.0.0.1:0'];
    const [command = '', ...rest] = onCore(CLIENT_CORE, [process.execPath, ...flags, ENTRY, ...args]);
    const child = spawn(command, rest, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, WEIGHBRIDGE_API_KEY: api_key },
    });
    const said: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => {
      // A line each run: only what went wrong is kept.
      if (!line.includes('"level":"info"')) said.push(line);
    });
    const ready = once(createInterface({ input: child.stdout }), 'line').then(([line]) => String(line));
    const first = await Promise.race([ready, once(child, 'exit').then(() => null)]);
    const url = /metrics at (\S+)\/metrics/.exec(first ?? '')?.[1];
    if (url === undefined || child.pid === undefined)
      throw new Error(`the daemon did not serve: ${first} ${said}`);
    return new WatchingDaemon(child, child.pid, url);
  }

  cpuMs(): number {
    return cpuMsOf(this.#pid);
  }

  rssMb(): number {
    return rssKbOf(this.#pid) / 1000;
  }

  async stop(): Promise<void> {
    const gone = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await gone;
  }
}
