/**
 * `npm run bench:probe -- [--quick] [--seconds 120] [--only errors,levels,memory] [--runs 100000]`: how true the daemon's
 * first tokens are beside the embedded gateway's own journal, what it costs, and whether its memory stays. Judged, never asserted.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { GATEWAY_NODE_FLAGS } from '../../src/app/gateway/embedded-gateway.ts';
import { busySeconds } from '../common/busy-cpu.ts';
import { machineLine } from '../common/pinning.ts';
import { printTable } from '../common/print-table.ts';
import { atMost, type Judged } from '../engine/judged.ts';
import { quantile } from '../engine/statistics.ts';
import { ServedProcess } from '../gateway/served-process.ts';
import { errorsOf, journalledFirstTokens } from './first-token-errors.ts';
import { levelRound } from './level-round.ts';
import { memoryRound, slopesOf } from './memory-round.ts';
import { streamRound } from './stream-round.ts';
import { EVERY_S, LATENCY } from './watched-calls.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: 'errors,levels,memory' },
    seconds: { type: 'string' },
    runs: { type: 'string' },
  },
});
const seconds = Number(values.seconds ?? (values.quick ? 20 : 120));
const runs = Number(values.runs ?? (values.quick ? 5_000 : 100_000));
const QUANTILES = ['ms', 'p50', 'p90', 'p99', 'max', 'of'];
const wanted = values.only.split(',');
const WATCHED = 60;
/** The fewest probes with 5,000 series. */
const SCRAPED = 37;
const LEVELS = values.quick ? [SCRAPED, WATCHED] : [1, SCRAPED, WATCHED, 600];

const folder = mkdtempSync(join(tmpdir(), 'wb-bench-probe-'));
const journal = join(folder, 'journal.ndjson');
const judged: Judged[] = [];
console.log(machineLine());
const busy = { at: performance.now(), cpu_s: busySeconds() };
try {
  if (wanted.includes('errors') || wanted.includes('levels')) await calls();
  if (wanted.includes('memory')) await memory();
  printTable([
    ['mark', 'is', 'to reach', ''],
    ...judged.map(({ what, found, target, met }) => [what, found, target, met ? 'met' : 'MISSED']),
  ]);
  const wall_s = (performance.now() - busy.at) / 1000;
  const busy_s = (busySeconds() ?? Number.NaN) - (busy.cpu_s ?? Number.NaN);
  console.log(
    `${wall_s.toFixed(0)} s; the machine was busy for ${busy_s.toFixed(0)} s of CPU, all processes`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function calls(): Promise<void> {
  const gateway = await ServedProcess.start('servers/weighbridge.ts', [LATENCY, journal], GATEWAY_NODE_FLAGS);
  const { base_url, target } = gateway;
  if (wanted.includes('errors')) {
    const rate = WATCHED / EVERY_S;
    const bare = await streamRound('bare-calls.ts', base_url, target.api_key, [rate, seconds]);
    const rows = [
      of('floor: a bare socket', bare.calls),
      spread('floor: setTimeout is late', bare.timers_late_ms),
    ];
    for (const atOnce of [1, 10, 30]) {
      const rounds = atOnce === 1 ? 60 : 20;
      const together = (by: string) =>
        streamRound('at-once.ts', base_url, target.api_key, [by, atOnce, rounds]);
      rows.push(of(`floor: bare sockets, ${atOnce} at once`, (await together('bare')).calls));
      rows.push(of(`the daemon's client, ${atOnce} at once`, (await together('client')).calls));
    }
    console.log(
      '\nFirst tokens: ms since the request was written, less the ms that the journal counts since receipt',
    );
    printTable([QUANTILES, ...rows]);
  }
  if (wanted.includes('levels')) {
    for (const level of LEVELS) {
      const round = await levelRound(join(folder, String(level)), level, { base_url, ...target }, seconds);
      const { told, cpu_share, rss_mb } = round;
      const { series, bytes, first_ms, render_ms, loop_lag_max_ms } = told;
      console.log(
        `\n${level} probes every ${EVERY_S} s for ${seconds} s: ${(cpu_share * 100).toFixed(1)} % of a core, ${rss_mb.toFixed(0)} MB resident; ` +
          `${series} series, ${bytes} bytes zipped, the first scrape ${first_ms.toFixed(1)} ms, last rendering ${render_ms.toFixed(1)} ms, event loop at most ${loop_lag_max_ms.toFixed(1)} ms late`,
      );
      const errors = errorsOf(round.calls, journalledFirstTokens(journal));
      printTable([
        QUANTILES,
        spread('first token', errors),
        spread('scrape', told.scrape_ms),
        spread('floor: an answer of a few bytes', told.idle_ms),
      ]);
      if (level === WATCHED)
        judged.push(...atMost(`error of TTFT p99, ${level} probes`, quantile(errors, 0.99), 2, ' ms'));
      if (level === SCRAPED)
        judged.push(...atMost(`scrape p99, ${series} series`, quantile(told.scrape_ms, 0.99), 25, ' ms'));
    }
  }
  await gateway.child.stop();
}

async function memory(): Promise<void> {
  console.log(`\nMemory after so many runs, garbage collected before each figure`);
  const step = Math.max(1, Math.floor(runs / 10));
  const samples = await memoryRound(folder, { runs, step }, (at) =>
    console.log(
      `  ${at.runs} runs, ${at.failed} not well: ${at.heap_mb.toFixed(1)} MB heap, ${at.rss_mb.toFixed(0)} MB resident`,
    ),
  );
  const { heap, rss } = slopesOf(samples);
  console.log(`  slope of the resident memory ${rss?.toFixed(1)} MB per 100,000 runs`);
  judged.push(...atMost(`heap per 100,000 runs`, heap, 1, ' MB'));
}

function of(what: string, made: Parameters<typeof errorsOf>[0]): string[] {
  return spread(what, errorsOf(made, journalledFirstTokens(journal)));
}

function spread(what: string, figures: readonly number[]): string[] {
  const at = [0.5, 0.9, 0.99, 1].map((share) => quantile(figures, share)?.toFixed(2) ?? '–');
  return [what, ...at, String(figures.length)];
}
