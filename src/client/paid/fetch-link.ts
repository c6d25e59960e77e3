import type { GatewayBases } from '../gateway-client.ts';
import type { ExchangeTimeouts } from './call-alarms.ts';
import type { CallSender } from './call-sender.ts';
import { freeCall, type PaidCallOf } from './free-call.ts';
import type { TaskContent } from './paid-result.ts';

export interface FetchOptions {
  readonly bases: GatewayBases;
  readonly runId: string;
  readonly instance: string;
}

/** Fetches the picture behind a link of an answer. The key goes along to the target's own origin only. */
export async function fetchLink(
  sender: CallSender,
  options: FetchOptions,
  paid: PaidCallOf,
  what: { readonly link: string; readonly read: number; readonly timeouts: ExchangeTimeouts },
  signal: AbortSignal,
): Promise<Omit<TaskContent, 'task'>> {
  const url = URL.parse(what.link, options.bases.root);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return {
      ...NOWHERE,
      end: { ...NOWHERE.end, message: 'the link of the image is no http or https address' },
    };
  const isOwn = url.origin === new URL(options.bases.root).origin;
  const { row, told } = await sender.send(
    freeCall(options, paid, {
      kind: 'download',
      read: what.read,
      url,
      path: `${isOwn ? '' : url.origin}${url.pathname}`,
      auth: isOwn ? 'bearer' : 'none',
      timeouts: what.timeouts,
      expected: { what: 'picture' },
    }),
    signal,
  );
  const { content, broken_rules } = told;
  const cut = ['interrupted', 'not_sent'].includes(told.outcome);
  const end =
    told.outcome === 'ok' || cut
      ? {
          outcome: cut ? ('interrupted' as const) : told.outcome,
          error_type: told.error_type,
          error_code: null,
          message: row.error_message,
        }
      : {
          ...NOWHERE.end,
          message: `the image behind the link could not be fetched: ${told.outcome}, ${row.error_message ?? ''}`,
        };
  return { rows: [row], end, content, broken_rules };
}

const NOWHERE: Omit<TaskContent, 'task'> = {
  rows: [],
  end: { outcome: 'bad_response', error_type: 'assertion', error_code: null, message: null },
  content: null,
  broken_rules: [],
};
