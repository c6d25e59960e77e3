import type { ApiKey } from '../../account/account.ts';
import type { CallDetail } from '../../calls/call-details.ts';
import { costOf } from '../../charging/credit-effect.ts';
import { numberOfRecordId } from '../../charging/record-id.ts';
import type { ChargeRecord } from '../../events/charge-record.ts';
import type { ChargedEndpoint } from '../../http/endpoints.ts';
import type { Model } from '../../models/model.ts';
import type { Gateway } from '../../parts/gateway.ts';
import { keptRows } from '../kept-rows.ts';
import { modelMapId, providerOf } from './model-map.ts';
import { rowMetadata } from './row-metadata.ts';
import { doubleCost, spendOf } from './token-costs.ts';

/** A row of the spend table, by its own column names. */
export interface SpendRow {
  readonly request_id: string;
  readonly api_key: string;
  readonly spend: number;
  readonly startTime: string;
  readonly model: string;
  readonly user: string;
  readonly status: 'success' | 'failure';
  readonly [column: string]: unknown;
}

const ALWAYS = { start: 0, end: Number.MAX_SAFE_INTEGER, model: null, requestId: null };

/** The rows of these keys, newest first. A call has one when it has ended. */
export const spendRows = keptRows((gateway, keys): readonly SpendRow[] => {
  const placed = keys.flatMap((key) =>
    [...gateway.records.newestFirst(key.fingerprint, ALWAYS, null)]
      .filter(({ status }) => status === 'settled' || status === 'refunded')
      .map((record) => ({ row: rowOf(gateway, key, record), number: numberOfRecordId(record.id) })),
  );
  const newestFirst = placed.sort(
    (left, right) =>
      (left.row.startTime < right.row.startTime ? 1 : left.row.startTime > right.row.startTime ? -1 : 0) ||
      right.number - left.number,
  );
  return apart(newestFirst.map(({ row }) => row));
});

/** `request_id` is the key of the table: a second row of one call cannot bear the same. */
function apart(rows: readonly SpendRow[]): readonly SpendRow[] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const before = seen.get(row.request_id) ?? 0;
    seen.set(row.request_id, before + 1);
    return before === 0 ? row : { ...row, request_id: `${row.request_id}_${before}` };
  });
}

const CALL_TYPES: Readonly<Partial<Record<ChargedEndpoint, string>>> = {
  '/v1/chat/completions': 'acompletion',
  '/v1/responses': 'aresponses',
  '/v1/messages': 'anthropic_messages',
  '/v1/completions': 'atext_completion',
  '/v1/embeddings': 'aembedding',
  '/v1/images/generations': 'aimage_generation',
  '/v1/images/edits': 'aimage_edit',
  '/v1/videos': 'acreate_video',
};

const ID_PREFIXES: Readonly<Partial<Record<ChargedEndpoint, string>>> = {
  '/v1/chat/completions': 'chatcmpl-',
  '/v1/responses': 'resp_',
  '/v1/messages': 'msg_',
  '/v1/completions': 'cmpl-',
};

function rowOf(gateway: Gateway, key: ApiKey, record: ChargeRecord): SpendRow {
  const { prices, details, dialect } = gateway;
  const detail = details?.of(record.requestId) ?? null;
  const model = prices.modelOf(prices.current, record.model);
  const { input, output } = record.usage;
  const times = timesOf(record, detail);
  const failed = record.status === 'refunded';
  const keepsPrompt = dialect?.switches.has('stored-prompts') === true && detail !== null;
  return {
    request_id: idOf(record, detail),
    call_type: CALL_TYPES[detail?.endpoint ?? '/v1/chat/completions'] ?? '',
    api_key: key.hash,
    spend: recordSpend(record, model, detail),
    total_tokens: input + output,
    prompt_tokens: input,
    completion_tokens: output,
    ...times,
    model: record.model,
    model_id: modelMapId(record.model),
    model_group: record.model,
    custom_llm_provider: providerOf(model),
    api_base: 'https://provider.invalid/v1',
    user: userOf(key),
    metadata: rowMetadata({ key, record, model, detail, failed }),
    cache_hit: 'False',
    cache_key: 'Cache OFF',
    request_tags: detail?.note?.tags ?? [],
    team_id: key.group ?? null,
    organization_id: null,
    end_user: detail?.note?.endUser ?? '',
    requester_ip_address: null,
    messages: keepsPrompt ? [{ role: 'user', content: detail.prompt }] : {},
    response: {},
    session_id: detail?.note?.sessionId ?? detail?.requestId ?? null,
    status: failed ? 'failure' : 'success',
    mcp_namespaced_tool_name: null,
    agent_id: null,
    proxy_server_request: {},
    litellm_call_id: detail?.requestId ?? record.requestId,
  };
}

export function userOf({ account }: Pick<ApiKey, 'account'>): string {
  return `user-${account.id}`;
}

/** The spend of a record as a double. */
export function recordSpend(record: ChargeRecord, model: Model | null, detail: CallDetail | null): number {
  const cost = costOf(record);
  const long = detail?.work?.kind === 'text' && detail.work.extras?.longWrites === true;
  const computed = model?.kind === 'text' && cost !== 0n ? doubleCost(model, record.usage, long) : null;
  return spendOf(cost, computed);
}

/** That of the answer; an image has none, and a failed call got none. */
function idOf({ requestId, status }: ChargeRecord, detail: CallDetail | null): string {
  const prefix = detail === null || status === 'refunded' ? undefined : ID_PREFIXES[detail.endpoint];
  return `${prefix ?? ''}${requestId}`;
}

function timesOf({ createdAt }: ChargeRecord, detail: CallDetail | null) {
  const start = detail?.receivedWall ?? createdAt * 1000;
  const { firstToken_ms = null, end_ms = 0 } = detail?.times ?? {};
  const text = (ms: number): string => new Date(ms).toISOString();
  return {
    startTime: text(start),
    endTime: text(start + end_ms),
    completionStartTime: text(start + (firstToken_ms ?? end_ms)),
    request_duration_ms: Math.round(end_ms),
  };
}
