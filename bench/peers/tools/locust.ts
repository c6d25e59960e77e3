import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { pipLocust, ROOT, VERSIONS } from '../../engine/build-tools.ts';
import type { NamedPeer } from '../peer.ts';

const quantiles = z.object({ p50: z.number().nullable(), p99: z.number().nullable() });
const toldSchema = z.object({ ttft: quantiles, e2e: quantiles, completed: z.number() });

/** Calls of a user each second, as the locustfile has it. */
const PER_USER_S = 0.5;
/** Users stop where they stand: what is under way is let end. */
const LAST_CALLS_S = 30;

/** Its percentiles are rounded: above 100 ms to two figures. */
export const locust: NamedPeer = {
  name: 'Locust',
  install() {
    const path = pipLocust();
    return {
      version: VERSIONS.locust,
      command(load, folder) {
        const users = String(load.per_s / PER_USER_S);
        return {
          exits: [0, 1],
          command: [
            path,
            ...['--headless', '--only-summary', '--loglevel', 'WARNING', '--host', load.root],
            ...['-f', join(ROOT, 'bench/peers/scripts/locustfile.py'), '-u', users, '-r', users],
            ...['--run-time', `${load.seconds}s`, '--stop-timeout', String(LAST_CALLS_S)],
          ],
          env: {
            BENCH_LOAD: JSON.stringify({ ...load, out: join(folder, 'told.json') }),
            PYTHONDONTWRITEBYTECODE: '1',
          },
        };
      },
      read: (folder) => toldSchema.parse(JSON.parse(readFileSync(join(folder, 'told.json'), 'utf8'))),
    };
  },
};
