import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { CALL_SCHEMA, STATE_SCHEMA } from '../../src/contracts/schema-names.ts';
import { type Observed, ObservedStreams } from './observed.ts';

const rowSchema = z.object({
  outcome: z.string(),
  error_message: z.string().nullable(),
  ttft_ms: z.number().nullable(),
  end_ms: z.number(),
  events: z.number().nullable(),
  itl: z.array(z.tuple([z.number(), z.number()])).nullable(),
  max_gap_ms: z.number().nullable(),
});

const stateSchema = z.object({
  at: z.string(),
  scenarios: z.array(z.object({ finished: z.number(), ok: z.number() })),
  rows_lost: z.number(),
});

/** Progress of a run by its own account. */
export interface Progress {
  readonly at_ms: number;
  readonly finished: number;
  readonly ok: number;
  readonly lost: number;
}

async function eachLine(calls: string, schema: string, take: (line: string) => void): Promise<void> {
  const start = `{"schema":"${schema}"`;
  for (const name of readdirSync(calls)) {
    for await (const line of createInterface(createReadStream(join(calls, name)))) {
      if (line.startsWith(start)) take(line);
    }
  }
}

/** The streams of a run as its ledger tells them. */
export async function readStreams(calls: string): Promise<Observed> {
  const all = new ObservedStreams();
  await eachLine(calls, CALL_SCHEMA, (line) => {
    const row = rowSchema.parse(JSON.parse(line));
    const { ttft_ms: ttft, events } = row;
    if (row.outcome !== 'ok' || ttft === null || events === null) {
      all.addFailed(`${row.outcome}: ${row.error_message ?? 'no message'}`);
      return;
    }
    // The mock's last content and its end leave in one write, so the end of the call is when the last content came.
    const meanItl = events < 2 ? null : (row.end_ms - ttft) / (events - 1);
    all.addBucketed({ ttft, meanItl, events }, row.itl ?? [], row.max_gap_ms);
  });
  return all.summary();
}

/** The state lines of a run. */
export async function readProgress(calls: string): Promise<Progress[]> {
  const all: Progress[] = [];
  await eachLine(calls, STATE_SCHEMA, (line) => {
    const state = stateSchema.parse(JSON.parse(line));
    all.push({
      at_ms: Date.parse(state.at),
      finished: state.scenarios.reduce((sum, { finished }) => sum + finished, 0),
      ok: state.scenarios.reduce((sum, { ok }) => sum + ok, 0),
      lost: state.rows_lost,
    });
  });
  return all;
}
