import type { Reconciliation } from '../../../src/contracts/reconciliation.ts';

/**
 * Auditors that no mark may let pass: one that accuses nobody, one that says of everything that it can't be told. Each
 * takes what ours found, and keeps what it would keep of it.
 */
export const SHADOW_AUDITORS: Readonly<Record<string, (ours: Reconciliation) => Reconciliation>> = {
  'accuses nobody': (ours) => ({
    ...ours,
    findings: [],
    groups: [],
    gated: false,
    calls: ours.calls.map((call) => ({ ...call, verdict: 'within_bounds' })),
  }),
  'can tell nothing': (ours) => ({
    ...ours,
    findings: [],
    groups: [],
    gated: false,
    inconclusive: ['it can’t be told'],
    calls: ours.calls.map((call) => ({ ...call, verdict: 'not_checkable' })),
    money: {
      ...ours.money,
      expected: '0',
      difference: '0',
      certain_over: '0',
      certain_under: '0',
      open: ours.money.charged,
    },
  }),
};
