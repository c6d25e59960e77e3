import type { ProbeTarget } from '../../contracts/probe-plan.ts';
import { byPeriod } from '../../core/budget-period.ts';
import type { TargetView } from '../view/daemon-view.ts';
import type { TargetWatch } from '../watch/target-watch.ts';
import type { RunHistory } from './run-history.ts';
import type { TargetState } from './target-state.ts';

interface Seen extends TargetState {
  readonly history: RunHistory;
  readonly watch: TargetWatch | null;
  readonly now_ms: number;
}

/** A target as pages show it. */
export function targetView(target: ProbeTarget, { budget, tasks, history, watch, now_ms }: Seen): TargetView {
  const { name, bases, probes } = target;
  const spent = budget?.spent() ?? null;
  const limits = target.budget;
  return {
    name,
    root: bases.root,
    probes: probes.map((probe) => history.view(name, probe, now_ms)),
    budget:
      spent === null || limits === null
        ? null
        : byPeriod((period) => ({ spent: spent[period], limit: limits[period] })),
    tasks_open: (tasks?.open() ?? []).map(({ probe, api, task_id, accepted_ms }) => ({
      probe,
      api,
      id: task_id,
      created_ms: accepted_ms,
      status: 'open',
    })),
    credit_units: null,
    audit: null,
    ...watch?.view(),
  };
}
