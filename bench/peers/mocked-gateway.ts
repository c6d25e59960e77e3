import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { onCore, SERVER_CORE } from '../common/pinning.ts';
import { cpuMsOf } from '../common/process-usage.ts';
import { ROOT } from '../engine/build-tools.ts';

const readyLine = z.object({ base_url: z.string(), api_key: z.string() });
const journalCall = z.object({
  type: z.literal('call'),
  first_token_ms: z.number().nullable(),
  end_ms: z.number(),
});
/** What the gateway noted of a call: ms from when it was received. */
export type TrueCall = z.infer<typeof journalCall>;

/** Known times of every piece of an answer; they differ from call to call, so that quantiles mean something. */
export const LATENCY = `preset: realistic
ttft: { uniform: { min_ms: 150, max_ms: 450 } }
itl: { fixed: { ms: 20 } }
`;

/** The embedded gateway in a process of its own, alone on its core. */
export class MockedGateway {
  readonly root: string;
  readonly key: string;
  readonly #process: ChildProcess;
  readonly #journal: string;
  #read = 0;

  private constructor(child: ChildProcess, ready: z.infer<typeof readyLine>, journal: string) {
    this.root = ready.base_url;
    this.key = ready.api_key;
    this.#process = child;
    this.#journal = journal;
  }

  static async start(folder: string): Promise<MockedGateway> {
    const [journal, latency] = [join(folder, 'journal.ndjson'), join(folder, 'latency.yaml')];
    writeFileSync(latency, LATENCY);
    const serve = ['gateway', '--port', '0', '--journal', journal, '--latency', latency, '--json'];
    const [program = '', ...args] = onCore(SERVER_CORE, [
      process.execPath,
      join(ROOT, 'bin/weighbridge.mjs'),
      ...serve,
    ]);
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface(child.stdout), 'line');
    return new MockedGateway(child, readyLine.parse(JSON.parse(String(line))), journal);
  }

  /** The calls that ended since this was asked last. */
  calls(): readonly TrueCall[] {
    const lines = readFileSync(this.#journal, 'utf8').split('\n').slice(0, -1);
    const fresh = lines.slice(this.#read);
    this.#read = lines.length;
    return fresh.map((line) => journalCall.parse(JSON.parse(line)));
  }

  /** CPU time so far, user and system, s. */
  cpuSeconds(): number {
    const { pid } = this.#process;
    if (pid === undefined) throw new Error('the gateway did not start');
    return cpuMsOf(pid) / 1000;
  }

  async stop(): Promise<void> {
    const gone = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await gone;
  }
}
