/**
 * `node bench/reader/main.ts [records …]`: how fast usage is read from a gateway on the same machine, and what the
 * reader's memory does as records grow. Each line is a reader process of its own; its gateway is another.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import * as z from 'zod';
import { printTable } from '../common/print-table.ts';

const told = z.object({
  records: z.number(),
  walk_s: z.number(),
  proof_s: z.number(),
  reads: z.number(),
  proved: z.boolean(),
  peak_mb: z.number(),
});
const sizes = process.argv.slice(2).map(Number);
const rows = [['records', 'one walk s', 'records/s', 'proof s', 'reads of it', 'proved', 'peak MB']];
for (const records of sizes.length > 0 ? sizes : [10_000, 100_000, 500_000]) {
  // A small heap: without it the collector of garbage leaves what it need not collect, and the peak says nothing.
  const reader = fork(new URL('read-all.ts', import.meta.url), [String(records)], {
    execArgv: ['--max-old-space-size=128', '--disable-warning=ExperimentalWarning'],
  });
  const [message] = await once(reader, 'message');
  const round = told.parse(message);
  rows.push([
    String(round.records),
    round.walk_s.toFixed(2),
    Math.round(round.records / round.walk_s).toString(),
    round.proof_s.toFixed(2),
    String(round.reads),
    round.proved ? 'yes' : 'no',
    round.peak_mb.toFixed(0),
  ]);
}
printTable(rows);
