import { formatAmount } from '../../../core/amount.ts';
import type { RefusedRequest, ToldRefusal } from '../../hooks/dialect.ts';
import { type ApiError, ModelOutOfReach } from '../../http/api-error.ts';
import { InsufficientCredit } from '../../http/insufficient-credit.ts';

/** Code of a token that is known to nobody: told with status 200. */
export const UNKNOWN_TOKEN = 'unknown_access_token';
/** Code of a call above a limit by address: told without a body. */
export const TOO_MANY_READS = 'too_many_reads';

const JSON_TYPE = 'application/json; charset=utf-8';

interface Told {
  readonly status: number;
  readonly code: string;
  readonly type: string;
  /** In Chinese, and in English where the client asks for it. */
  readonly texts: readonly [string, string];
  /** Whether the message ends with the request id. */
  readonly names: boolean;
}

/** A refusal as new-api words it: by path, and with a status of its own. */
export function newApiRefusal(request: RefusedRequest, error: ApiError, cause: unknown): ToldRefusal {
  const { path } = request;
  if (error.status === 404 && !isOurs(path)) return page();
  if (error.code === TOO_MANY_READS) return { status: 429, headers: {}, type: 'text/plain', body: '' };
  if (path.startsWith('/api/')) return ofAccount(request, error);
  const told = toldOf(request, error, cause);
  if (told.status === 429 && error.code === '' && !request.fromProvider)
    return { status: 429, headers: {}, type: 'text/plain', body: '' };
  return { status: told.status, headers: {}, type: JSON_TYPE, body: bodyOf(request, told) };
}

function isOurs(path: string): boolean {
  return path.startsWith('/v1/') || path.startsWith('/api/') || path.startsWith('/files/');
}

/** Any other path gives the web page. */
function page(): ToldRefusal {
  const body =
    '<!doctype html><html lang="en"><head><title>New API</title></head><body><div id="root"></div></body></html>';
  return { status: 200, headers: {}, type: 'text/html; charset=utf-8', body };
}

function ofAccount(request: RefusedRequest, error: ApiError): ToldRefusal {
  if (error.status === 404 || error.status === 405)
    return { status: 404, headers: {}, type: JSON_TYPE, body: modelError(request, unknownPath(request)) };
  const status = error.code === UNKNOWN_TOKEN ? 200 : error.status;
  const headers = status === 401 ? { 'www-authenticate': 'Bearer realm="api"' } : {};
  return { status, headers, type: JSON_TYPE, body: { success: false, message: error.message } };
}

function unknownPath({ method, path }: RefusedRequest): Told {
  const text = `Invalid URL (${method} ${path})`;
  return { status: 404, code: '', type: 'invalid_request_error', texts: [text, text], names: false };
}

function toldOf(request: RefusedRequest, error: ApiError, cause: unknown): Told {
  const { path } = request;
  const told = (status: number, code: string, texts: Told['texts'], names = true): Told => ({
    ...{ status, code, texts, names },
    type: 'new_api_error',
  });
  if (request.fromProvider) return passedOn(error);
  if (cause instanceof InsufficientCredit) return credit(cause, told);
  if (error instanceof ModelOutOfReach)
    return told(403, '', ['该令牌无权使用此模型', 'This key may not use this model']);
  if (error.code === 'model_not_found')
    return told(503, 'model_not_found', ['没有可用的渠道', `No channel serves this model: ${error.message}`]);
  if (error.code === 'task_not_found' && path.endsWith('/content'))
    return { ...told(404, '', ['Task not found', 'Task not found'], false), type: 'invalid_request_error' };
  if (error.code === 'task_not_found')
    return told(400, 'task_not_exist', ['任务不存在', 'The task does not exist'], false);
  if (error.code === 'task_not_completed' || error.code === 'task_failed') return notReady(error);
  if (error.status === 401) return told(401, '', ['令牌无效', 'Invalid token']);
  if (error.status === 404 || error.status === 405) return unknownPath(request);
  // A body that is read and wrong is a fault of the gateway's own there; one that is no JSON is the client's.
  if (error === cause && error.status === 400 && isText(path))
    return told(500, 'invalid_request', [error.message, error.message]);
  if (error.status >= 500 || error.status === 429) return passedOn(error);
  return { ...told(error.status, error.code, [error.message, error.message]), type: error.type };
}

/** What a provider said, unchanged and without the request id. */
function passedOn({ status, code, type, message }: ApiError): Told {
  return { status, code, type, texts: [message, message], names: false };
}

function isText(path: string): boolean {
  return /^\/v1\/(chat\/completions|completions|responses|messages)$/.test(path);
}

/** Never 402. A key that is spent is refused as one that is unknown. */
function credit(
  { balance, left, needed }: InsufficientCredit,
  told: (status: number, code: string, texts: Told['texts']) => Told,
): Told {
  if (left !== null && left <= 0n) return told(401, '', ['令牌无效', 'Invalid token']);
  if (left !== null && left < balance) {
    const text = `left ＄${formatAmount(left)}, need ＄${formatAmount(needed)}`;
    return told(403, 'pre_consume_token_quota_failed', [`令牌额度不足: ${text}`, `Key quota: ${text}`]);
  }
  const text = `left ＄${formatAmount(balance)}, need ＄${formatAmount(needed)}`;
  return told(403, 'insufficient_user_quota', [`用户额度不足: ${text}`, `User quota: ${text}`]);
}

function notReady(error: ApiError): Told {
  const word = error.code === 'task_failed' ? 'FAILURE' : 'NOT_START';
  const text = `Task is not completed yet, current status: ${word}`;
  return { status: 400, code: error.code, type: 'invalid_request_error', texts: [text, text], names: false };
}

function bodyOf(request: RefusedRequest, told: Told): object {
  const { path } = request;
  const isTask = /^\/v1\/videos?(\/generations)?(\/[^/]+)?$/.test(path);
  if (isTask && request.fromProvider) return taskRefused(told);
  if (isTask && told.status !== 401 && told.type === 'new_api_error')
    return { code: told.code, message: messageOf(request, { ...told, names: false }), data: null };
  if (isTask || path.endsWith('/content')) {
    const { message, type } = { message: messageOf(request, told), type: told.type };
    if (told.type === 'invalid_request_error') return { error: { message, type } };
  }
  if (path === '/v1/messages' && (told.status !== 401 || request.fromProvider)) {
    const isOwn = told.type === 'new_api_error' && told.names;
    const type = isOwn ? 'new_api_error' : '<nil>';
    return { type: 'error', error: { type, message: messageOf(request, { ...told, names: true }) } };
  }
  return modelError(request, told);
}

/** A provider's refusal of a task: its JSON as a text, but for a limit. */
function taskRefused({ status, type, code, texts }: Told): object {
  const [message] = texts;
  const raw = JSON.stringify({ error: { message, type, code } });
  const told = status === 429 ? '上游负载已饱和' : raw;
  return { code: 'fail_to_fetch_task', message: told, data: null };
}

function modelError(request: RefusedRequest, told: Told): object {
  const { code, type, names } = told;
  const param = names ? {} : { param: '' };
  return { error: { message: messageOf(request, told), type, ...param, code } };
}

/** The brackets and the words of the suffix stay Chinese in both languages. */
function messageOf({ english, requestId }: RefusedRequest, { texts, names }: Told): string {
  const text = texts[english ? 1 : 0];
  return names ? `${text}（请求 ID：${requestId}）` : text;
}
