import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallRow } from '../../src/contracts/ledger-lines.ts';
import { CALL_SCHEMA, STATE_SCHEMA } from '../../src/contracts/schema-names.ts';
import { isPaidKind } from '../../src/core/call-kind.ts';
import { formatInstant, parseInstant } from '../../src/core/time.ts';
import { parseLedgerLine } from '../../src/ledger/parse-ledger-line.ts';
import { sampleFolder } from './run-weighbridge.ts';

const MINUTE_MS = 60_000;

/** The sample run's folder in `dir`, its minute driven over and over until it has `calls` paid calls; without its bill. */
export function largeRunFolder(dir: string, calls: number): void {
  cpSync(sampleFolder(), dir, { recursive: true });
  rmSync(join(dir, 'usage'), { recursive: true });
  const [name = ''] = readdirSync(join(dir, 'calls'));
  const path = join(dir, 'calls', name);
  const [header = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const made: string[] = [header];
  const rows = lines.flatMap((line) => paidRow(line) ?? []);
  for (let index = 0; index < calls; index += 1) {
    const minute = Math.floor(index / rows.length);
    const row = rows[index % rows.length];
    if (row === undefined) break;
    made.push(JSON.stringify({ ...row, ...later(row, minute) }));
  }
  const state = lines.findLast((line) => line.includes(`"${STATE_SCHEMA}"`));
  writeFileSync(path, `${[...made, ...(state === undefined ? [] : [state])].join('\n')}\n`);
}

const REFUSED = { outcome: 'http_error', ttft_ms: null, ttfo_ms: null, itl: null, max_gap_ms: null } as const;
/** What befalls the calls of a bad minute. */
const FAILED: readonly Partial<CallRow>[] = [
  { ...REFUSED, error_type: 'http_5xx', blame: 'gateway', status: 502, error_code: 'upstream_unavailable' },
  { ...REFUSED, error_type: 'rate_limited', blame: 'account', status: 429, error_code: 'rate_limited' },
  { ...REFUSED, error_type: 'http_5xx', blame: 'gateway', status: 503, error_code: null },
];

function slower({ ttft_ms, end_ms }: CallRow, factor: number): Partial<CallRow> {
  return { ttft_ms: ttft_ms === null ? null : ttft_ms * factor, end_ms: end_ms * factor };
}

function paidRow(line: string): CallRow | null {
  const parsed = parseLedgerLine(line);
  if (!('line' in parsed) || parsed.line.schema !== CALL_SCHEMA) return null;
  return isPaidKind(parsed.line.kind) ? parsed.line : null;
}

function later(row: CallRow, minutes: number): Partial<CallRow> {
  const moved = (at: string) => formatInstant((parseInstant(at) ?? 0) + minutes * MINUTE_MS);
  return {
    call_id: `${row.call_id}-${minutes}`,
    logical_id: `${row.logical_id}-${minutes}`,
    planned_at: row.planned_at === null ? null : moved(row.planned_at),
    started_at: moved(row.started_at),
    ...slower(row, 1 + 0.3 * Math.sin(minutes / 20)),
    ...(minutes % 50 === 7 ? FAILED[minutes % 3] : {}),
  };
}
