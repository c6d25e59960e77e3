import { printTable } from '../common/print-table.ts';
import type { Suite } from './bench-options.ts';
import { QUOTED_LEVELS, quotedRows } from './quoted-peers.ts';
import { memoryRows, plainRows, rateRows, sustainedRows } from './result-tables.ts';
import { streamRows } from './stream-table.ts';
import type { Context } from './suites/context.ts';
import { type MemoryResult, memorySuite } from './suites/memory.ts';
import { type PlainResult, plainSuite } from './suites/plain.ts';
import { type RateResult, rateSuite } from './suites/rate.ts';
import { type StreamResult, spreadSuite, streamsSuite, trapSuite } from './suites/streams.ts';
import { type SustainedResult, sustainedSuite } from './suites/sustained.ts';

export type SuiteResult =
  | { readonly suite: 'streams' | 'spread' | 'trap'; readonly results: readonly StreamResult[] }
  | { readonly suite: 'sustained'; readonly results: readonly SustainedResult[] }
  | { readonly suite: 'plain'; readonly results: readonly PlainResult[] }
  | { readonly suite: 'rate'; readonly results: readonly RateResult[] }
  | { readonly suite: 'memory'; readonly results: readonly MemoryResult[] };

export async function runSuite(context: Context, suite: Suite): Promise<SuiteResult> {
  switch (suite) {
    case 'streams':
      return { suite, results: await streamsSuite(context) };
    case 'spread':
      return { suite, results: await spreadSuite(context) };
    case 'trap':
      return { suite, results: await trapSuite(context) };
    case 'sustained':
      return { suite, results: await sustainedSuite(context) };
    case 'plain':
      return { suite, results: await plainSuite(context) };
    case 'rate':
      return { suite, results: await rateSuite(context) };
    case 'memory':
      return { suite, results: await memorySuite(context) };
  }
}

const HOW = {
  streams: 'all started at once',
  spread: '400 starts a second',
  trap: 'an event with a role and no content at once',
};

/** Tables of a suite; failures of single clients are said, since a missing row would hide them. */
export function printSuite(result: SuiteResult): void {
  switch (result.suite) {
    case 'streams':
    case 'spread':
    case 'trap':
      for (const level of new Set(result.results.map((one) => one.level))) {
        console.log(
          `\n${level} streams, TTFT 200 ms, ITL 20 ms, 50 chunks, ${HOW[result.suite]} (times in ms)`,
        );
        printTable(streamRows(result.results, level));
        const quoted = QUOTED_LEVELS.find((one) => one === level);
        if (quoted !== undefined && result.suite === 'streams') printTable(quotedRows(quoted));
      }
      break;
    case 'sustained':
      console.log('\nMost streams at 20 events/s, every event received, no gap above 500 ms');
      printTable(sustainedRows(result.results));
      break;
    case 'plain':
      console.log('\nPlain calls answered at once, 64 at a time');
      printTable(plainRows(result.results));
      break;
    case 'rate':
      console.log('\n500 calls/s, each answered after 5 ms, as they arrived at the server (times in ms)');
      printTable(rateRows(result.results));
      break;
    case 'memory':
      console.log('\nResident memory by calls made');
      printTable(memoryRows(result.results));
  }
  for (const one of result.results) {
    const failures = 'failures' in one ? one.failures : one.failure === null ? [] : [one.failure];
    for (const failure of new Set(failures)) console.log(`  ${one.client} failed: ${failure.slice(0, 300)}`);
  }
}
