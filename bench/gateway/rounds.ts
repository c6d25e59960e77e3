import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { Child } from '../common/child.ts';
import { CLIENT_CORE } from '../common/pinning.ts';
import type { LoadMessage } from './client/load-message.ts';
import type { OwnLateness, ServedProcess } from './served-process.ts';

/** Who is measured. */
export type ServerName = 'bare' | 'gateway' | 'aimock';
export type Rounds<R> = readonly { readonly server: ServerName; readonly round: R }[];

export interface JsonRound {
  readonly per_s: number;
  readonly cpu_us: number;
}

export interface StreamRound {
  readonly events: number;
  readonly most_open: number;
  readonly cpu_us: number;
  readonly lateness: OwnLateness;
  /** Resident memory that each open stream added, kB of 1,000 bytes. */
  readonly kb_per_stream: number;
}

const jsonDone = z.object({ done: z.object({ answered: z.number(), ms: z.number() }) });
const streamsDone = z.object({ done: z.object({ events: z.number(), most_open: z.number() }) });

async function load(message: LoadMessage): Promise<unknown> {
  const { child } = await Child.start(new URL('client/main.ts', import.meta.url), CLIENT_CORE);
  const done = await child.ask(message);
  await child.stop();
  return done;
}

const WARM_UP_MS = 3000;

/** Closed loop of 64 connections, once the server's code is compiled. */
export async function jsonRound(
  server: ServedProcess,
  bodies: readonly string[],
  ms: number,
): Promise<JsonRound> {
  const message = { load: 'json', target: server.target, bodies, sockets: 64 } as const;
  await load({ ...message, ms: Math.min(WARM_UP_MS, ms) });
  const before = server.child.cpuMs();
  const { done } = jsonDone.parse(await load({ ...message, ms }));
  const cpu_us = ((server.child.cpuMs() - before) * 1000) / done.answered;
  return { per_s: (done.answered * 1000) / done.ms, cpu_us };
}

export interface StreamLoad {
  readonly count: number;
  readonly over_ms: number;
  /** How long one stream takes. */
  readonly stream_ms: number;
}

/** Streams that are all open at once for a while, after a few that were left early. */
export async function streamRound(
  server: ServedProcess,
  bodies: readonly string[],
  { count, over_ms, stream_ms }: StreamLoad,
): Promise<StreamRound> {
  const message = { load: 'streams', target: server.target, bodies } as const;
  await load({ ...message, count: 200, over_ms: 500, for_ms: 1500 });
  await delay(500);
  await server.lateness('reset');
  const idle = server.child.rssKb();
  const before = server.child.cpuMs();
  const loading = load({ ...message, count, over_ms, for_ms: null });
  await delay((over_ms + stream_ms) / 2);
  const open = server.child.rssKb();
  const { done } = streamsDone.parse(await loading);
  return {
    ...done,
    cpu_us: ((server.child.cpuMs() - before) * 1000) / done.events,
    lateness: await server.lateness('lateness'),
    kb_per_stream: (open - idle) / count,
  };
}
