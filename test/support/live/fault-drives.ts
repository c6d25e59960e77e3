import { setTimeout as sleep } from 'node:timers/promises';
import { BURNS, type Chain, type Drive } from './drive.ts';
import type { OwnFault } from './gateway-control.ts';
import type { LiveTarget } from './live-targets.ts';

const FAILS = [...BURNS, 'WeighbridgeProbeDown'];

/** Faults of the gateway that one target meets and the others do not, all at the same time. */
export const FAULT_DRIVES: readonly Chain[] = [
  own('burning', ['WeighbridgeProbeDown', ...BURNS], [{ fault: 'http.500' }]),
  // The burn rates may tell of the failures once the outage is past; while it lasts, it is one alert.
  own('down', ['WeighbridgeTargetDown'], [{ fault: 'http.500' }], BURNS),
  own(
    'broken_streams',
    ['WeighbridgeStreamBroken'],
    [{ fault: 'net.eof_clean', parameters: { after_events: 2 } }],
    FAILS,
  ),
  own('crowded', ['WeighbridgeUpstreamCrowded'], [{ fault: 'http.429_crowded' }], FAILS),
  own('failing_tasks', ['WeighbridgeTaskFailureRatio'], [{ fault: 'sem.task_failed_200' }], FAILS),
  own(
    'backward_tasks',
    ['WeighbridgeIllegalTransition'],
    [{ fault: 'sem.backward_status', parameters: { from: 'in_progress', polls: 1 } }],
    [...FAILS, 'WeighbridgeTaskFailureRatio'],
  ),
  own('open_door', ['WeighbridgeNegativeProbeAccepted'], [{ fault: 'sem.content_too_early_bytes' }], FAILS),
  own(
    'stuck_tasks',
    ['WeighbridgeTaskStuck', 'WeighbridgePendingPilesUp'],
    [{ fault: 'sem.stuck_in_progress', parameters: { for_ms: 15_000 } }],
    ['WeighbridgeProbeStale', 'WeighbridgeProbesSkipped'],
  ),
  own(
    'off_contract',
    ['WeighbridgeContractViolation'],
    [{ fault: 'http.503' }, { fault: 'http.no_request_id' }],
    FAILS,
  ),
  own(
    'paced',
    ['WeighbridgeProbeStale'],
    [{ fault: 'http.429_retry_after_s', parameters: { seconds: 8 } }],
    ['WeighbridgeProbeDown'],
  ),
  own(
    'forgetful',
    ['WeighbridgeUnknownRecords'],
    [{ fault: 'bill.pending_to_unknown', parameters: { after_ms: 500 } }],
    ['WeighbridgeChargeMismatch'],
  ),
].map((drive) => [drive]);

const LATE_RECORDS = { fault: 'bill.late_record', parameters: { after_ms: 80_000 } };
const LATE_MS = 10_000;

/** The fault ends before its alert can fire: what it has delayed comes late all the same. */
export const LATE_DRIVE: Drive = {
  alerts: ['WeighbridgeSettlementSlow'],
  target: 'late',
  fault: `${LATE_RECORDS.fault} of 80 s, for ${LATE_MS / 1000} s`,
  on: async ({ gateway, user }) => {
    await gateway.faults('late', user('late').key_fp, [LATE_RECORDS]);
    await sleep(LATE_MS);
    await gateway.faults('late', user('late').key_fp, []);
  },
  off: async () => undefined,
  also: ['WeighbridgeChargeMismatch'],
  withinMs: 1_000_000,
};

/** What is compared with the day before. */
export const SLOW_DRIVE: Drive = own(
  'slow',
  ['WeighbridgeFirstTokenSlow', 'WeighbridgeFirstTokenRegression', 'WeighbridgeProbesSkipped'],
  [{ fault: 'net.ttft', parameters: { distribution: 'fixed', ms: 1000 } }],
  // Its runs take longer than their interval.
  ['WeighbridgeProbeStale'],
);

function own(
  target: LiveTarget,
  alerts: readonly string[],
  faults: readonly OwnFault[],
  also: readonly string[] = [],
): Drive {
  return {
    alerts,
    target,
    fault: faults.map(({ fault }) => fault).join(', '),
    on: ({ gateway, user }) => gateway.faults(target, user(target).key_fp, faults),
    off: ({ gateway, user }) => gateway.faults(target, user(target).key_fp, []),
    also,
  };
}
