import { yesNo } from '../../contracts/metrics/label-values.ts';
import type { ProbeLabels } from '../../contracts/metrics/probe-metrics.ts';
import type { Probe } from '../../contracts/probe-plan.ts';
import type { RunFacts } from '../runs/run-outcome.ts';
import type { ProbeRun } from '../view/probe-run.ts';

/** What is told of a run that has ended. */
export interface ObservedRun {
  readonly probe: Probe;
  readonly run: ProbeRun;
  readonly facts: RunFacts;
}

export type RunLabels = ProbeLabels<'weighbridge_probe_duration_seconds'>;

/** The labels that tell a probe from any other. */
export function labelsOf(target: string, { name, api, model, stream }: Probe): RunLabels {
  return { target, probe: name, api, model: model ?? '', stream: yesNo(stream) };
}
