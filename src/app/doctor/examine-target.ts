import { readFileSync } from 'node:fs';
import { CREDENTIAL_MASK } from '../../client/credential.ts';
import type { GatewayClient } from '../../client/gateway-client.ts';
import { httpGet } from '../../client/http-get.ts';
import { networkErrorType, networkErrorWords } from '../../client/network-error.ts';
import { openDispatcher } from '../../client/open-dispatcher.ts';
import { Credentials } from '../../config/credentials.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { TargetBases } from '../../config/target-bases.ts';
import type { Dialect } from '../../contracts/dialect.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { newRunId } from '../../plan/run-id.ts';
import { readMapping } from '../../pricebook/read/mapping-file.ts';
import { readPriceBook } from '../../pricebook/read/read-price-book.ts';
import { SecretMask } from '../../secrets/secret-mask.ts';
import { needBill } from '../target/bill-read.ts';
import { targetFailure } from '../target/target-failure.ts';
import { clientOf } from '../target/weighed-target.ts';
import { blocking, type Examination, notAsked, ok, type Seen, warning } from './examination.ts';

const BOOK = '/pricing.usd.json';
const READ_TIMEOUT_MS = 10_000;
const MOST_BYTES = 64 * 2 ** 20;
/** Windows of records are cut at whole seconds, and Date tells no less than one. */
const MOST_SKEW_MS = 2_000;

/** What the target answered once, which several examinations look at. */
interface Answered {
  readonly status: number;
  readonly date: string | null;
  readonly bytes: Uint8Array;
  readonly sent_ms: number;
  readonly got_ms: number;
}
type Asked = Answered | { readonly error: unknown };

/** Whether the target can be reached, and what it serves; free reads alone. Empty without a target. */
export function examineTarget(
  { http, billing, target }: Pick<ResolvedConfig, 'http' | 'billing' | 'target'>,
  bases: TargetBases,
  credentials: Credentials | null,
  env: Readonly<Record<string, string | undefined>>,
): readonly Examination[] {
  let asked: Promise<Asked> | null = null;
  const ask = (): Promise<Asked> => {
    asked ??= askBook(bases, http, env);
    return asked;
  };
  const look = (name: string, seen: (answer: Answered) => Seen | Promise<Seen>): Examination => ({
    name,
    look: async () => {
      const answer = await ask();
      return 'error' in answer ? notAsked('the target gives no answer') : seen(answer);
    },
  });
  const withClient = async (
    see: (client: GatewayClient, credentials: Credentials) => Promise<Seen>,
    given: Credentials | null = credentials,
  ): Promise<Seen> => {
    if (given === null || given.apiKey === null) return notAsked('there is no key to ask with');
    return asking(given, (client) => see(client, given));
  };
  const asking = async (
    given: Credentials | null,
    see: (client: GatewayClient) => Promise<Seen>,
  ): Promise<Seen> => {
    const nobody = new Credentials({ apiKey: null, accessToken: null, userId: null });
    const signal = new AbortController().signal;
    const client = clientOf(bases, given ?? nobody, signal, newRunId(Date.now()), http, {
      keyless: true,
      dialect: target.dialect,
    });
    try {
      return await see(client);
    } finally {
      await client.close();
    }
  };
  const mask = new SecretMask(credentials?.secrets ?? [], CREDENTIAL_MASK);
  const examinations = [
    { name: 'target', look: async () => reachSeen(bases, await ask()) },
    look('key accepted', () => withClient(keySeen)),
    look('usage records', () => withClient(billSeen)),
    look('clock', ({ date, sent_ms, got_ms }) => clockSeen(date, sent_ms, got_ms)),
    look('price book', () => asking(credentials, (client) => bookSeen(client, billing.book))),
  ];
  return examinations.map((each) => ({ ...each, look: async () => clean(await each.look(), mask) }));
}

/** What was found may be told in words of the target. */
function clean(seen: Seen, mask: SecretMask): Seen {
  return { ...seen, found: mask.name(seen.found), fix: seen.fix && mask.name(seen.fix) };
}

async function askBook(
  { root }: TargetBases,
  http: ResolvedConfig['http'],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Asked> {
  const dispatcher = openDispatcher(root, env, http);
  const sent_ms = Date.now();
  try {
    const url = `${root}${BOOK}`;
    const headers = { 'user-agent': 'weighbridge doctor' };
    const limits = { timeoutMs: READ_TIMEOUT_MS, maxBytes: MOST_BYTES, signal: null };
    const { status, header, bytes } = await httpGet({ url, headers, dispatcher, ...limits });
    return { status, date: header('date'), bytes, sent_ms, got_ms: Date.now() };
  } catch (error) {
    return { error };
  } finally {
    await dispatcher.close();
  }
}

function reachSeen({ root, loopback }: TargetBases, answer: Asked): Seen {
  if ('error' in answer) {
    const failure = {
      ok: false,
      status: null,
      code: null,
      message: networkErrorWords(answer.error),
      retryAfterS: null,
      errorType: networkErrorType(answer.error),
      requestId: null,
    } as const;
    const { message, hint } = targetFailure(`GET ${BOOK}`, failure);
    return blocking(`${root}: ${message}`, hint, 3);
  }
  if (root.startsWith('https:')) return ok(`${root} answers; its certificate is trusted`);
  if (loopback) return ok(`${root} answers`);
  return warning(
    `${root} answers without TLS: the key goes over the network in the clear`,
    'use its https address',
  );
}

async function keySeen(client: GatewayClient, { accessToken, userId }: Credentials): Promise<Seen> {
  const models = await client.models(true);
  if (!models.ok) return refused('GET /v1/models', models);
  const found = `the key may call ${models.body.data.length} models`;
  if (accessToken === null || userId === null) return ok(found);
  const account = await client.account();
  if (account.ok) return ok(`${found}, the access token opens the account`);
  return account.code === 'not_offered' ? ok(found) : refused(client.paths.account, account);
}

/** What a dialect cannot tell, said before anything is paid. */
const LACKS: Readonly<Record<Dialect, string>> = {
  interface: '',
  'new-api':
    ' (dialect new-api): reserves, the calls of refunds without a log, and totals stand nowhere; the count of its log stands for totals',
  litellm:
    ' (dialect litellm): reserves, refunds and totals stand nowhere; amounts are binary floating point',
  plain: '',
};

/** An audit pays for nothing where there is no bill to judge. */
async function billSeen(client: GatewayClient): Promise<Seen> {
  try {
    const read = await needBill(client);
    if (!read.ok) return refused(client.paths.records, read);
    return ok(`an audit can read them${LACKS[client.dialect]}`);
  } catch (error) {
    if (error instanceof WeighbridgeError) return blocking(error.message, error.hint);
    throw error;
  }
}

function refused(what: string, failure: Parameters<typeof targetFailure>[1]): Seen {
  const { message, hint } = targetFailure(what, failure);
  return blocking(message, hint, 3);
}

/** `date` tells the second in which the answer was made, somewhere between the two moments. */
export function clockSeen(date: string | null, sentMs: number, gotMs: number): Seen {
  const told = Date.parse(date ?? '');
  if (Number.isNaN(told)) return notAsked('the target tells no Date');
  const behind = Math.max(0, told - gotMs);
  const ahead = Math.max(0, sentMs - (told + 1_000));
  const skew = Math.max(behind, ahead);
  if (skew <= MOST_SKEW_MS) return ok(`within ${MOST_SKEW_MS / 1_000} s of the target's`);
  return warning(
    `this machine's clock is ${(skew / 1_000).toFixed(0)} s ${behind > 0 ? 'behind' : 'ahead of'} the target's`,
    'set it by the network (timedatectl set-ntp true): records are read by the second',
  );
}

async function bookSeen(
  client: GatewayClient,
  { file, mapping, adapter }: ResolvedConfig['billing']['book'],
): Promise<Seen> {
  const fix =
    'name a book of your own as billing.book.file, or a mapping for its layout as billing.book.mapping';
  if (file !== null) return bookRead(readFileSync(file), `${file}: `);
  const served = await client.priceBook();
  if (served.ok) return bookRead(served.bytes, '');
  const { message } = targetFailure(client.paths.book, served);
  return blocking(served.status === null ? message : `${client.paths.book}: HTTP ${served.status}`, fix);

  function bookRead(content: Uint8Array, whose: string): Seen {
    try {
      const reading = readPriceBook(content, {
        adapter,
        mapping: mapping === null ? null : readMapping(readFileSync(mapping, 'utf8'), mapping),
      });
      if ('unreadable' in reading) return blocking(`${whose}${reading.unreadable.join('; ')}`, fix);
      return ok(`${whose}${reading.book.models.length} prices read in full`);
    } catch (error) {
      if (error instanceof WeighbridgeError) return blocking(error.message, error.hint);
      throw error;
    }
  }
}
