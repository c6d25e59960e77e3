import * as z from 'zod';
import { Child } from '../common/child.ts';
import { SERVER_CORE } from '../common/pinning.ts';
import type { Target } from './client/raw-request.ts';

const ready = z.object({ ready: z.object({ base_url: z.string(), api_key: z.string() }) });
const told = z.object({
  lateness: z
    .object({
      events: z.number(),
      p50_ms: z.number().nullable(),
      p99_ms: z.number().nullable(),
      max_ms: z.number().nullable(),
    })
    .nullable(),
});
export type OwnLateness = z.infer<typeof told>['lateness'];

/** A server under test in a process and on a core of its own. */
export class ServedProcess {
  readonly child: Child;
  readonly base_url: string;
  readonly target: Target;

  private constructor(child: Child, base_url: string, api_key: string) {
    this.child = child;
    this.base_url = base_url;
    this.target = { port: Number(new URL(base_url).port), api_key };
  }

  /** `flags` are those of Node. */
  static async start(
    file: string,
    args: readonly string[],
    flags: readonly string[] = [],
  ): Promise<ServedProcess> {
    const { child, first } = await Child.start(new URL(file, import.meta.url), SERVER_CORE, args, flags);
    const { base_url, api_key } = ready.parse(first).ready;
    return new ServedProcess(child, base_url, api_key);
  }

  /** What the server recorded of its own events since the last reset; null where it records nothing. */
  async lateness(ask: 'lateness' | 'reset'): Promise<OwnLateness> {
    return told.parse(await this.child.ask({ ask })).lateness;
  }
}
