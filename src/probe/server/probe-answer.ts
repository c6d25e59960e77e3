import type { ProbeApi } from '../../contracts/probe-plan.ts';
import type { DaemonView, ProbeView } from '../view/daemon-view.ts';
import type { ProbeRun } from '../view/probe-run.ts';
import { type Answer, plain } from './answer.ts';
import { isCrossSite } from './cross-site.ts';
import type { RouteRequest } from './route-request.ts';
import type { ServedDaemon } from './served-daemon.ts';

/**
 * What may run whenever it is asked for. Paid probes may not, as each Prometheus would pay again; nor may negative ones:
 * keys that a target must refuse are sent at their own pace alone.
 */
const RUN_WHEN_ASKED: readonly ProbeApi[] = ['models', 'pricebook', 'usage', 'usage_requests', 'account'];

/** `/probe?target=&probe=`: the run made now, or the last one with its age. */
export async function answerProbe(daemon: ServedDaemon, { query, headers }: RouteRequest): Promise<Answer> {
  if (isCrossSite(headers)) return plain(403, 'refused: a page of another site asked for it');
  const target = query.get('target') ?? '';
  const name = query.get('probe') ?? '';
  const found = find(daemon.view(), target, name);
  if (typeof found === 'string') return plain(target === '' || name === '' ? 400 : 404, found);
  if (!RUN_WHEN_ASKED.includes(found.api)) return runAnswer(daemon.view(), target, found, false);
  const before = found.runs.at(-1);
  await daemon.runNow(target, name);
  const view = daemon.view();
  const after = find(view, target, name);
  if (typeof after === 'string') return plain(404, after);
  // Not by their times: the clock may have been set in between.
  return runAnswer(view, target, after, after.runs.at(-1) !== before);
}

/** The probe, or what is wrong with the names and which there are. */
function find(view: DaemonView, target: string, probe: string): ProbeView | string {
  const names = (items: readonly { readonly name: string }[]) =>
    items.map(({ name }) => name).join(', ') || 'none';
  if (target === '') return `target is missing; known targets: ${names(view.targets)}`;
  const watched = view.targets.find(({ name }) => name === target);
  if (watched === undefined) return `unknown target; known targets: ${names(view.targets)}`;
  if (probe === '') return `probe is missing; known probes of ${target}: ${names(watched.probes)}`;
  const found = watched.probes.find(({ name }) => name === probe);
  return found ?? `unknown probe; known probes of ${target}: ${names(watched.probes)}`;
}

/** `fresh`: its last run was made for this request. */
function runAnswer(view: DaemonView, target: string, probe: ProbeView, fresh: boolean): Answer {
  const run = probe.runs.at(-1);
  if (run === undefined) {
    const held = probe.held === null ? '' : `; it is held: ${probe.held}`;
    return plain(503, `probe ${probe.name} of ${target} has not run yet${held}`);
  }
  const body = samples(run, Math.max(0, view.now_ms - run.ended_ms), fresh);
  return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body };
}

function samples(run: ProbeRun, age_ms: number, fresh: boolean): string {
  const failed = run.error_type === 'none' ? 0 : 1;
  const reason = `{error_type="${run.error_type}",blame="${run.blame}"}`;
  return [
    gauge('probe_success', '1 if the run met every expectation.', 1 - failed),
    gauge('probe_duration_seconds', 'Time that the run took.', run.duration_ms / 1000),
    gauge('probe_run_timestamp_seconds', 'When the run ended, in seconds since 1970.', run.ended_ms / 1000),
    gauge('probe_run_age_seconds', 'Time since the run ended.', age_ms / 1000),
    gauge(
      'probe_run_fresh',
      '1 if the run was made for this request, 0 if it is the last one of the schedule.',
      fresh ? 1 : 0,
    ),
    gauge(`probe_failure_info${reason}`, 'Why the run failed; 0 where it did not.', failed),
  ].join('');
}

/** Values are short enough to need no exponent; labels are of closed lists, so nothing has to be escaped. */
function gauge(sample: string, help: string, value: number): string {
  const name = sample.replace(/\{.*/, '');
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${sample} ${value}\n`;
}
