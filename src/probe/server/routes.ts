import type { IncomingHttpHeaders } from 'node:http';
import type { SecretValues } from '../../client/secrets/secret-values.ts';
import { formatAmount } from '../../core/amount.ts';
import type { DaemonView } from '../view/daemon-view.ts';
import { acceptedFormat } from './accepted-format.ts';
import { type Answer, plain } from './answer.ts';
import { isCrossSite } from './cross-site.ts';
import { statusPage } from './page/status-page.ts';
import { answerProbe } from './probe-answer.ts';
import type { RouteRequest } from './route-request.ts';
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
