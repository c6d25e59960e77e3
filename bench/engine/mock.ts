import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { onCore, SERVER_CORE } from '../common/pinning.ts';

const reportSchema = z.object({
  cpu_s: z.number(),
  most_open: z.number(),
  plain: z.number(),
  arrivals_us: z.array(z.number()),
  streams: z.array(
    z.object({
      id: z.number(),
      arrived_us: z.number(),
      events: z.number(),
      cut: z.boolean(),
      max_gap_us: z.number(),
      /** When the flush of each content event returned, from the arrival on. */
      sent_us: z.array(z.number()).default([]),
    }),
  ),
});
/** What truly happened, as the server saw it. */
export type Truth = z.infer<typeof reportSchema>;

/** How the mock answers: the first segment of the path. */
export type Shape = Readonly<Record<string, number | true>>;

function shapeText(shape: Shape): string {
  return Object.entries(shape)
    .map(([name, value]) => (value === true ? name : `${name}=${value}`))
    .join('.');
}

/** The server of all measurements, alone on its core. */
export class Mock {
  readonly #process: ChildProcess;
  readonly #origin: string;

  private constructor(process: ChildProcess, origin: string) {
    this.#process = process;
    this.#origin = origin;
  }

  static async start(rig: string): Promise<Mock> {
    const [program = '', ...args] = onCore(SERVER_CORE, [rig, 'mock']);
    const started = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, GOMAXPROCS: '1' },
    });
    const [line] = await once(createInterface(started.stdout), 'line');
    return new Mock(started, String(line));
  }

  /** What a client is given as the root of its target. */
  rootOf(shape: Shape): string {
    return `${this.#origin}/${shapeText(shape)}`;
  }

  async reset(): Promise<void> {
    await fetch(`${this.#origin}/control/reset`);
  }

  async truth(detail: boolean): Promise<Truth> {
    const response = await fetch(`${this.#origin}/control/report${detail ? '?detail=1' : ''}`);
    return reportSchema.parse(await response.json());
  }

  async stop(): Promise<void> {
    const gone = once(this.#process, 'exit');
    this.#process.stdin?.end();
    await gone;
  }
}
