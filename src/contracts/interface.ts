/** Wire types of the service under test, one per object of interface §2. Unknown fields may follow. */

/** interface §2, usage request record: as served, strings kept. */
export interface UsageRecord {
  readonly usage_estimated: boolean;
  readonly id: string;
  readonly request_id: string;
  /** Unix seconds. */
  readonly created_at: number;
  readonly model: string;
  readonly result: string;
  readonly billing_status: string;
  /** USD decimal strings. */
  readonly amount: string;
  readonly reserved_amount: string;
  readonly refunded_amount: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly pricebook_id: string;
  readonly pricing_version: string;
}

/** The five figures that totals, by_model and daily share. */
export interface UsageSums {
  readonly settled_amount: string;
  readonly pending_amount: string;
  readonly refunded_amount: string;
  readonly records: number;
  readonly unknown_records: number;
}

/** interface §2, usage totals. */
export interface UsageTotals extends UsageSums {
  readonly currency: string;
  readonly start_time: number;
  readonly end_time: number;
  readonly by_model: readonly (UsageSums & { readonly model: string })[];
  readonly daily: readonly (UsageSums & { readonly date: string })[];
}

/** interface §4, page of usage records. */
export interface UsagePage {
  readonly currency: string;
  readonly data: readonly UsageRecord[];
  readonly next_cursor: string;
  readonly has_more: boolean;
  readonly start_time: number;
  readonly end_time: number;
}

/** interface §2, model list. Its `object` is not asked for: many gateways leave it out. */
export interface ModelList {
  readonly data: readonly { readonly id: string }[];
}

/** interface §2, account record. `quota` is in internal units, never convertible to USD. */
export interface AccountRecord {
  readonly id: number;
  readonly quota: number;
  readonly used_quota: number;
  readonly request_count: number;
}

/** interface §3: the status values named. */
export const TASK_STATUSES = ['queued', 'in_progress', 'completed', 'failed'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];
