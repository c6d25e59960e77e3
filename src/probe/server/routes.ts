import type { IncomingHttpHeaders } from 'node:http';
import type { SecretValues } from '../../client/secrets/secret-values.ts';
import { isFreeRead } from '../../contracts/probe-plan.ts';
import { formatAmount } from '../../core/amount.ts';
import type { DaemonView, ProbeView } from '../view/daemon-view.ts';
import type { ProbeRun } from '../view/probe-run.ts';
import { acceptedFormat } from './accepted-format.ts';
import { type Answer, plain } from './answer.ts';
import { findingsPage } from './page/findings-page.ts';
import { statusPage } from './page/status-page.ts';
import type { ServedDaemon } from './served-daemon.ts';

type Method = 'GET' | 'HEAD' | 'POST';

export interface Route {
  readonly methods: readonly Method[];
  /** Answered without credentials: what keeps a process alive has none. */
  readonly open: boolean;
  answer(request: RouteRequest): Answer | Promise<Answer>;
}

const READ: readonly Method[] = ['GET', 'HEAD'];

/** Every endpoint. Texts pass the secrets' filter once more, though each is free of them by itself. */
export function serverRoutes(daemon: ServedDaemon, secrets: SecretValues): ReadonlyMap<string, Route> {
  const filtered = (answer: Answer): Answer => ({ ...answer, body: secrets.mask(answer.body) });
  const read = (answer: Route['answer']): Route => ({ methods: READ, open: false, answer });
  return new Map<string, Route>([
    // Not filtered: its labels are names of the configuration or of closed lists, and it is the largest answer.
    [
      '/metrics',
      read(async ({ headers }) => {
        const { contentType, body } = await daemon.render(acceptedFormat(headers.accept));
        return { status: 200, type: contentType, body, headers: { vary: 'Accept, Accept-Encoding' } };
      }),
    ],
    ['/-/healthy', { methods: READ, open: true, answer: () => plain(200, 'healthy') }],
    ['/-/ready', { methods: READ, open: true, answer: () => filtered(readiness(daemon.view())) }],
    [
      '/-/reload',
      {
        methods: ['POST'],
        open: false,
        answer: async ({ headers }) => filtered(await reload(daemon, headers)),
      },
    ],
    [
      '/config',
      read(() => filtered({ status: 200, type: 'text/yaml; charset=utf-8', body: daemon.config() })),
    ],
    // HEAD is not taken: it would run a probe for nothing.
    [
      '/probe',
      {
        methods: ['GET'],
        open: false,
        answer: async (request) => filtered(await answerProbe(daemon, request)),
      },
    ],
    ['/', read(() => filtered(statusPage(daemon.view())))],
    ['/findings', read(() => filtered(findingsPage(daemon.view())))],
    ['/api/status', read(() => filtered(statusJson(daemon.view())))],
  ]);
}

function readiness({ state, not_ready }: DaemonView): Answer {
  if (state === 'ready' && not_ready === null) return plain(200, 'ready');
  return plain(503, `not ready: ${not_ready ?? state}`);
}

async function reload(daemon: ServedDaemon, headers: IncomingHttpHeaders): Promise<Answer> {
  if (isCrossSite(headers)) return plain(403, 'refused: a page of another site asked for it');
  const outcome = await daemon.reload();
  return outcome.ok
    ? plain(200, 'reloaded')
    : plain(500, `not reloaded, the configuration before stays in force:\n${outcome.problem}`);
}

const STATUS_SCHEMA = 'weighbridge.status/1';

/**
 * The view as JSON. Amounts are decimal strings of USD; units of a site's credit are digits. The rows of runs are left
 * out: they stand in the ledger.
 */
function statusJson(view: DaemonView): Answer {
  const body = JSON.stringify({ schema: STATUS_SCHEMA, ...view }, (key, value: unknown) => {
    if (key === 'rows') return undefined;
    if (typeof value !== 'bigint') return value;
    return key === 'credit_units' ? value.toString() : formatAmount(value);
  });
  return { status: 200, type: 'application/json; charset=utf-8', body: `${body}\n` };
}

/** `/probe?target=&probe=`: the run made now, or the last one with its age. */
async function answerProbe(daemon: ServedDaemon, { query, headers }: RouteRequest): Promise<Answer> {
  if (isCrossSite(headers)) return plain(403, 'refused: a page of another site asked for it');
  const target = query.get('target') ?? '';
  const name = query.get('probe') ?? '';
  const found = find(daemon.view(), target, name);
  if (typeof found === 'string') return plain(target === '' || name === '' ? 400 : 404, found);
  // A paid probe would be paid again by each Prometheus; what a target must refuse is sent at its own pace alone.
  if (!isFreeRead(found.api)) return runAnswer(daemon.view(), target, found, false);
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
    const held = probe.held === null ? '' : `; it is paused: ${probe.held}`;
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

/**
 * True for a request that a browser makes for a page of another site, with our reader's password: it could reload the
 * configuration or run probes. Prometheus, curl and pages of our own pass.
 */
function isCrossSite({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`;
}

interface RouteRequest {
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}
