import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { GatewayBases } from '../dialects/bill-reader.ts';
import type { ExchangeTimeouts } from './call-alarms.ts';
import type { Answered, CallSender } from './call-sender.ts';
import { freeCall, type PaidCallOf } from './free-call.ts';
import type { TaskContent } from './paid-result.ts';
import type { TaskEnd } from './task-end.ts';

export interface FetchOptions {
  readonly bases: GatewayBases;
  readonly runId: string;
  /** Keeps the processes of one run apart. */
  readonly instance: string;
}

interface LinkedContent {
  readonly link: string;
  readonly what: 'picture' | 'mp4';
  /** Of the first read. */
  readonly read: number;
  readonly timeouts: ExchangeTimeouts;
}

/** The most that are followed from one link. */
const MOST_REDIRECTS = 5;

/**
 * Fetches the content behind a link of an answer, through redirects; each read has a row of its own. The key goes along to
 * the target's own origin only.
 */
export async function fetchLink(
  sender: CallSender,
  options: FetchOptions,
  paid: PaidCallOf,
  { link, what, read, timeouts }: LinkedContent,
  signal: AbortSignal,
): Promise<Omit<TaskContent, 'task'>> {
  const { root } = options.bases;
  const first = webAddress(link, root);
  if (first === null) return { rows: [], end: NO_ADDRESS, content: null, broken_rules: [] };
  const rows: CallRow[] = [];
  for (let url = first; ; ) {
    const isOwn = url.origin === new URL(root).origin;
    const call = freeCall(options, paid, {
      kind: 'download',
      read: read + rows.length,
      url,
      path: `${isOwn ? '' : url.origin}${url.pathname}`,
      auth: isOwn ? 'bearer' : 'none',
      timeouts,
      expected: { what },
    });
    const answered = await sender.send(call, signal);
    const { outcome, error_type, content, broken_rules } = answered.told;
    const message = answered.row.error_message;
    rows.push(answered.row);
    const next: URL | null = rows.length > MOST_REDIRECTS ? null : redirectOf(answered, url);
    if (next === null)
      return { rows, end: { outcome, error_type, error_code: null, message }, content, broken_rules };
    url = next;
  }
}

/** Where an answer says that its content is; null where it does not. */
export function redirectOf({ row, seen }: Pick<Answered, 'row' | 'seen'>, from: URL): URL | null {
  const { status } = row;
  const to = seen.head?.header('location') ?? null;
  return to === null || status === null || status < 300 || status > 399 ? null : webAddress(to, from.href);
}

function webAddress(link: string, base: string): URL | null {
  const url = URL.parse(link, base);
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url : null;
}

const NO_ADDRESS: TaskEnd = {
  outcome: 'bad_response',
  error_type: 'schema_mismatch',
  error_code: null,
  message: 'the link is no http or https address',
};
