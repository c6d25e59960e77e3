/**
 * `node --import ./fast-time.ts`: clocks of this process run faster, by the factor and from the moment in
 * WEIGHBRIDGE_BENCH_TIME, so that days of probing pass in minutes. Timers stay as they are.
 */
import * as z from 'zod';

const { from_ms, factor } = z
  .object({ from_ms: z.number(), factor: z.number() })
  .parse(JSON.parse(process.env['WEIGHBRIDGE_BENCH_TIME'] ?? 'null'));
const RealDate = Date;
const realNow = performance.now.bind(performance);
const nowMs = (): number => Math.floor(from_ms + (RealDate.now() - from_ms) * factor);

performance.now = () => realNow() * factor;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args) => Reflect.construct(target, args.length === 0 ? [nowMs()] : args),
  get: (target, name) => (name === 'now' ? nowMs : Reflect.get(target, name)),
});
