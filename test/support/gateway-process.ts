import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';

const SCRIPT = resolve(import.meta.dirname, 'serve-gateway.ts');

const readyLine = z.object({
  base_url: z.string(),
  control_url: z.string(),
  control_token: z.string(),
  api_key: z.string(),
  access_token: z.string(),
  user_id: z.number(),
  notes: z.array(z.string()),
});
export type ReadyLine = z.infer<typeof readyLine>;

/** A gateway in a process of its own on a data directory. */
export class GatewayProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #exit: Promise<unknown>;
  #errors = '';

  /** Loads the modules; it serves after `start`. */
  constructor(dataDir: string) {
    this.#child = spawn(process.execPath, [SCRIPT, dataDir], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, NODE_COMPILE_CACHE: join(`${dataDir}-modules`) },
    });
    this.#exit = once(this.#child, 'exit');
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text;
    });
  }

  /** Resolves when it serves; throws with what it said when it exits instead. */
  async start(): Promise<ReadyLine> {
    this.#child.stdin.end('\n');
    const lines = createInterface(this.#child.stdout);
    const line = await Promise.race([
      once(lines, 'line').then(([text]) => String(text)),
      this.#exit.then(() => {
        throw new Error(`the gateway ended with ${this.#child.exitCode}: ${this.#errors}`);
      }),
    ]);
    return readyLine.parse(JSON.parse(line));
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#child.kill(signal);
    await this.#exit;
  }
}
