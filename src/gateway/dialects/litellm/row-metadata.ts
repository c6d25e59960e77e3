import type { ApiKey } from '../../account/account.ts';
import type { CallDetail } from '../../calls/call-details.ts';
import type { ChargeRecord } from '../../events/charge-record.ts';
import type { Model } from '../../models/model.ts';

interface MetadataSource {
  readonly key: ApiKey;
  readonly record: ChargeRecord;
  readonly model: Model | null;
  readonly detail: CallDetail | null;
  readonly failed: boolean;
}

/** `metadata` of a row: whose key it was, and the usage as the provider told it. */
export function rowMetadata({ key, record, model, detail, failed }: MetadataSource): object {
  const { cacheRead, cacheWrite } = record.usage;
  const isText = model?.kind === 'text';
  return {
    user_api_key: key.hash,
    user_api_key_alias: keyAlias(key),
    user_api_key_team_id: key.group ?? null,
    user_api_key_org_id: null,
    user_api_key_user_id: `user-${key.account.id}`,
    user_api_key_team_alias: key.group ?? null,
    spend_logs_metadata: null,
    requester_ip_address: null,
    litellm_call_id: detail?.requestId ?? null,
    applied_guardrails: [],
    status: failed ? 'failure' : 'success',
    error_information: failed ? { error_code: '500', error_class: 'APIError', error_message: '' } : null,
    usage_object: isText && !failed ? usageObject(record) : null,
    additional_usage_values: cacheRead + cacheWrite === 0 ? {} : cached(cacheRead, cacheWrite),
    attempted_retries: 0,
    max_retries: 0,
  };
}

export function keyAlias({ ordinal }: ApiKey): string {
  return `key-${ordinal}`;
}

function cached(cacheRead: number, cacheWrite: number): object {
  return { cache_read_input_tokens: cacheRead, cache_creation_input_tokens: cacheWrite };
}

function usageObject({ usage }: ChargeRecord): object {
  const { input, output, cacheRead, cacheWrite } = usage;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cacheRead, cache_creation_tokens: cacheWrite },
    ...cached(cacheRead, cacheWrite),
  };
}
