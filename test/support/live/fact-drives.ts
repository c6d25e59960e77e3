import { join } from 'node:path';
import { targetFolderName } from '../../../src/contracts/target-folder-name.ts';
import { formatInstant } from '../../../src/core/time.ts';
import { writeScheduledRun } from '../../../src/state/scheduled-run-file.ts';
import { BURNS, type Chain, type Drive } from './drive.ts';
import type { LiveWorld } from './live-world.ts';

const NIGHT_MS = 86_400_000;

/** Changes of what a target offers, asks and shows. */
export const FACT_DRIVES: readonly Chain[] = [
  [
    {
      alerts: ['WeighbridgeModelGone', 'WeighbridgeModelCountDrop'],
      target: 'shrinking',
      fault: 'a key of a group with two models',
      on: async ({ gateway, user, files }) =>
        files.useKey((await gateway.addKey(user('shrinking').user_id, ['aspen-mini', 'aspen-nano'])).api_key),
      off: async ({ user, files }) => files.useKey(user('shrinking').api_key),
      also: [],
    },
  ],
  [
    {
      alerts: [
        'WeighbridgeRunwayShort',
        'WeighbridgeRunwayCritical',
        'WeighbridgeSpendAnomaly',
        'WeighbridgeCreditRefused',
        'WeighbridgeChargeMismatch',
      ],
      target: 'overspending',
      fault: 'bill.multiplier_hidden, until the credit is gone; then credit',
      on: ({ gateway, user }) =>
        gateway.faults('overspending', user('overspending').key_fp, [
          { fault: 'bill.multiplier_hidden', parameters: { factor: '1000' } },
        ]),
      off: async ({ gateway, user }) => {
        const { key_fp, user_id } = user('overspending');
        await gateway.faults('overspending', key_fp, []);
        await gateway.call('POST', `/accounts/${user_id}/credit`, { amount_usd: '1000000' });
      },
      also: ['WeighbridgeProbeDown'],
    },
  ],
  [
    {
      alerts: ['WeighbridgeCertExpiry'],
      target: 'expiring',
      fault: 'a certificate of half an hour',
      on: async ({ front, authority }) =>
        front.present(authority.issue('localhost', new Date(Date.now() + 1_800_000))),
      off: async ({ front, authority }) => front.present(authority.issue('localhost')),
      also: [],
    },
  ],
  [
    {
      alerts: ['WeighbridgePricebookStale'],
      target: 'repriced',
      fault: 'http.503 of the price book',
      on: ({ books }) =>
        books.faults('repriced', null, [{ fault: 'http.503', select: { endpoint: '/pricing.usd.json' } }]),
      off: ({ books }) => books.faults('repriced', null, []),
      also: [...BURNS, 'WeighbridgeProbeDown'],
    },
  ],
  [
    {
      alerts: ['WeighbridgeScheduledRunMissing'],
      target: 'repriced',
      fault: 'the last verdict of a nightly run is three nights old',
      on: scheduledRunEnded(3 * NIGHT_MS),
      off: scheduledRunEnded(0),
      also: [],
    },
  ],
];

/** As `audit --every 24h` notes its verdict, so long ago. */
function scheduledRunEnded(agoMs: number): Drive['on'] {
  return async ({ books, files }) => {
    const ended_at = formatInstant(Date.now() - agoMs);
    // The only target at its address: the folder has no name beside it.
    const folder = join(files.stateOf('service'), targetFolderName(books.baseUrl));
    const usd = { charged: '0.25', expected: '0.25', certain_over: '0', certain_under: '0' };
    const run = { run_id: 'night', target: 'repriced', began_at: ended_at, ended_at, exit_status: 0, usd };
    writeScheduledRun(folder, { ...run, every_ms: NIGHT_MS });
  };
}

const reprice = (factor: string) => (world: LiveWorld) => world.books.call('PUT', '/prices', { factor });

/** Compared with the day before. */
export const PRICE_DRIVE: Drive = {
  alerts: ['WeighbridgePriceJump', 'WeighbridgePriceChanged'],
  target: 'repriced',
  fault: 'all prices doubled, then halved',
  on: reprice('2'),
  off: reprice('0.5'),
  also: [],
};
