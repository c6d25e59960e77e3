/**
 * `node bare-calls.ts <base> <key> <calls a second> <seconds>`: streamed calls by a bare socket: what the machine, loopback
 * and the gateway put on a first token by themselves.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type BareCall, bareCall } from './bare-call.ts';

const [, , base = '', key = '', rate = '6', seconds = '10'] = process.argv;
const calls: Promise<BareCall>[] = [];
const timers_late_ms: number[] = [];
const gap_ms = 1000 / Number(rate);
const began = performance.now();
for (let n = 0; n * gap_ms < Number(seconds) * 1000; n += 1) {
  // Not in step with the gateway's own timers.
  const due = began + n * gap_ms + Math.random() * gap_ms;
  const wait = Math.ceil(due - performance.now());
  if (wait > 0) {
    const asked = performance.now();
    await delay(wait);
    timers_late_ms.push(performance.now() - asked - wait);
  }
  calls.push(bareCall(base, key));
}
process.send?.({ calls: await Promise.all(calls), timers_late_ms });
process.on('disconnect', () => process.exit(0));
