import { closeSync, openSync, writeSync } from 'node:fs';
import { formatAmount } from '../../src/core/amount.ts';

/** USD of 10⁻¹² for one token; charges are rounded half up at 8 decimals. */
const PRICES = { input: 2_000_000n, output: 8_000_000n, cache_read: 500_000n };
const QUANTUM = 10_000n;

const MODELS = ['aspen-1', 'birch-2', 'cedar-3'];

/** 2026-11-20T12:00:00Z; a call starts every 20 ms. */
export const START_MS = 1_795_176_000_000;
const GAP_MS = 20;

export const BOOK = {
  object: 'pricebook',
  pricebook_id: 'pb',
  pricing_version: 'v1',
  currency: 'USD',
  rounding: { scope: 'record', quantum: '0.00000001', mode: 'half_up' },
  usage_semantics: { input_includes_cache: true },
  models: MODELS.map((id) => ({
    id,
    kind: 'text',
    unit: 'per_1m_tokens',
    input: '2',
    output: '8',
    cache_read: '0.5',
    max_output_tokens: 4000,
  })),
};

export const FAULTS = ['amount', 'second_record', 'no_record', 'tokens', 'pending', 'cut'] as const;

/** How many calls stand between two that are wrong in one of the ways of FAULTS. */
export const EVERY = 1_000;

const BATCH = 5_000;

/**
 * Writes calls.ndjson and records.ndjson of `calls` calls: the rows that the load engine writes, the lines of the reader.
 * With `from` it appends those from the call of that number on.
 */
export function writeWorld(dir: string, calls: number, from = 0): void {
  const flag = from === 0 ? 'w' : 'a';
  const files = {
    rows: openSync(`${dir}/calls.ndjson`, flag),
    records: openSync(`${dir}/records.ndjson`, flag),
  };
  if (from === 0) writeSync(files.rows, `${header()}\n`);
  let rows = '';
  let records = '';
  for (let index = from; index < calls; index += 1) {
    const fault = index % EVERY === EVERY - 1 ? FAULTS[Math.floor(index / EVERY) % FAULTS.length] : undefined;
    const call = callOf(index);
    rows += `${rowLine(call, fault === 'cut')}\n`;
    records += recordLines(call, fault);
    if (index % BATCH !== BATCH - 1 && index !== calls - 1) continue;
    writeSync(files.rows, rows);
    writeSync(files.records, records);
    rows = '';
    records = '';
  }
  closeSync(files.rows);
  closeSync(files.records);
}

interface Call {
  readonly index: number;
  readonly id: string;
  readonly ms: number;
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly read: number;
}

function callOf(index: number): Call {
  const first = mixed(index ^ 0x9e3779b9);
  const second = mixed(first);
  const input = 200 + (first % 6000);
  return {
    index,
    id: `${second.toString(16).padStart(8, '0')}${index.toString(16).padStart(8, '0')}`,
    ms: START_MS + index * GAP_MS,
    model: MODELS[index % MODELS.length] ?? '',
    input,
    output: 1 + (second % 1500),
    read: index % 4 === 0 ? second % input : 0,
  };
}

function mixed(value: number): number {
  let state = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}

function header(): string {
  return JSON.stringify({
    schema: 'weighbridge.ledger/1',
    run_id: 'bench',
    instance: 'i0',
    file: 0,
    segment: null,
    seed: 1,
    clock: { wall: new Date(START_MS).toISOString(), mono_ms: 0 },
    plan_hash: null,
    key_fp: 'd0e3352ceac9c2fc',
    cores: 2,
    versions: { weighbridge: '0.1.0', k6: 'v2.2.0', go: 'go1.26.8' },
  });
}

function rowLine({ index, id, ms, model, input, output, read }: Call, cut: boolean): string {
  const at = new Date(ms).toISOString();
  const usage = cut
    ? 'null'
    : `{"input":${input},"output":${output},"cache_read":${read},"cache_write":0,"reasoning":null,"raw":{"prompt_tokens":${input},"completion_tokens":${output}}}`;
  const [outcome, error] = cut ? ['truncated', 'stream_truncated'] : ['ok', 'none'];
  return `{"schema":"weighbridge.call/1","run_id":"bench","instance":"i0","call_id":"${id}","logical_id":"chat/${index}","attempt":1,"scenario":"chat","phase":"measured","iteration":${index},"turn":null,"kind":"chat","method":"POST","path":"/v1/chat/completions","stream":true,"model":"${model}","key_fp":"d0e3352ceac9c2fc","planned_at":"${at}","started_at":"${at}","wrote_ms":1.2,"headers_ms":101.25,"first_event_ms":101.5,"ttft_ms":101.5,"ttfo_ms":101.5,"end_ms":1000.5,"schedule_lag_ms":0.1,"itl":[[20.5,40],[21.4,12]],"max_gap_ms":22,"events":52,"chunks":52,"out_chars":${output * 4},"text_sha256":null,"text_ref":null,"status":200,"outcome":"${outcome}","error_type":"${error}","blame":"none","error_code":null,"api_error_type":null,"error_message":null,"request_id":"req_${id}","request_ids":["req_${id}"],"response_id":"chatcmpl-${id}","response_model":"${model}","service_tier":null,"retry_after_s":null,"finish":"stop","terminal_seen":true,"usage":${usage},"units":null,"max_tokens":1500,"prompt_bytes":4000,"watermark":null,"job":null,"worst_case_usd":"0.05","bytes_in":9000,"bytes_out":4200,"conn_reused":true,"proto":"HTTP/1.1"}`;
}

function recordLines(call: Call, fault: (typeof FAULTS)[number] | undefined): string {
  if (fault === 'no_record') return '';
  const exact =
    BigInt(call.input - call.read) * PRICES.input +
    BigInt(call.read) * PRICES.cache_read +
    BigInt(call.output) * PRICES.output;
  const due = ((exact + QUANTUM / 2n) / QUANTUM) * QUANTUM;
  const charged = fault === 'amount' ? due + QUANTUM : due;
  const reserved = 50_000_000_000n;
  const line = (id: string): string =>
    `{"schema":"weighbridge.usage-record/1","read_at":"${READ_AT}","sweep":1,"by_request_id":false,"record":{"id":"${id}","request_id":"req_${call.id}","created_at":${Math.floor(call.ms / 1000)},"model":"${call.model}","result":"completed","billing_status":"${fault === 'pending' ? 'pending' : 'settled'}","amount":"${formatAmount(charged)}","reserved_amount":"${formatAmount(reserved)}","refunded_amount":"${formatAmount(reserved - charged)}","input_tokens":${call.input + (fault === 'tokens' ? 1 : 0)},"output_tokens":${call.output},"cache_read_tokens":${call.read},"cache_write_tokens":0,"usage_estimated":false,"pricebook_id":"pb","pricing_version":"v1"}}\n`;
  return fault === 'second_record' ? line(`${call.index}`) + line(`${call.index}-2`) : line(`${call.index}`);
}

/** Long after the last call of any world that fits a disk. */
export const READ_AT = '2026-12-20T12:00:00.000Z';
