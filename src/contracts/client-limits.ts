import type { ClientVerdict } from './result.ts';

type ClientFigures = Omit<ClientVerdict, 'verdict' | 'reasons'>;

/** A limit beyond which what the client measured is not the target's doing. */
export interface ClientLimit {
  /** What is limited and by how much, for people. */
  readonly limit: string;
  readonly because: string;
  /** The reason, where the limit is passed. */
  readonly passed: (figures: ClientFigures) => string | null;
}

const SCHEDULE_LAG_MS = 20;
const TIMER_LAG_MS = 50;
const RUN_QUEUE_MS = 10;
const CPU_SHARE = 0.8;
const GC_SHARE = 0.01;
const OPEN_FILES_SHARE = 0.95;

/**
 * Of the time of starts: engines that begin further apart ask the target for less than the plan says while one is missing.
 * It is no figure of one engine, so that it stands apart.
 */
export const MOST_SKEW_SHARE = 0.05;

export const CLIENT_LIMITS: readonly ClientLimit[] = [
  {
    limit: `schedule lag p99 ${SCHEDULE_LAG_MS} ms`,
    because:
      'a client that keeps up starts 99 % of its calls within 1 to 3 ms; a tenth of a quick TTFT is where lateness begins to change what the target is asked to bear',
    passed: ({ schedule_lag_p99_ms: lag }) => above('schedule lag p99', lag, SCHEDULE_LAG_MS, ' ms'),
  },
  {
    limit: `timer lag p99 ${TIMER_LAG_MS} ms`,
    because:
      'of the largest lateness in each second, in all but the worst one, and of 200 seconds and more all but the worst 1 %: a late second is forgiven, however short the run; two gaps of a common token stream: beyond it stalls may be our own',
    passed: ({ timer_lag_p99_ms: lag }) => above('timer lag p99', lag, TIMER_LAG_MS, ' ms'),
  },
  {
    limit: `run queue p99 ${RUN_QUEUE_MS} ms`,
    because: 'a read that waits so long for a processor is stamped so much too late',
    passed: ({ run_queue_p99_ms: wait }) => above('wait for a processor p99', wait, RUN_QUEUE_MS, ' ms'),
  },
  {
    limit: `CPU ${CPU_SHARE} × the cores, in more than one second of twenty`,
    because: 'from there on work queues behind work, and lateness grows faster than load',
    passed: ({ cpu_p95, cores }) => above('CPU p95', cpu_p95, CPU_SHARE * cores, ` of ${cores} cores`),
  },
  {
    limit: `garbage collector ${GC_SHARE * 100} % of the time`,
    because: 'nothing is read and nothing is started while it stops the process',
    passed: ({ gc_share }) =>
      above('share of the time in pauses of the garbage collector', gc_share, GC_SHARE, ''),
  },
  {
    limit: `open files ${OPEN_FILES_SHARE} × their limit`,
    because: 'the next connection would be refused by our own system',
    passed: ({ open_files_max, open_files_limit }) =>
      open_files_limit === null
        ? null
        : above('open files', open_files_max, OPEN_FILES_SHARE * open_files_limit, ''),
  },
  {
    limit: 'ledger rows lost: none',
    because: 'what is not written cannot be measured or audited',
    passed: ({ rows_lost }) => (rows_lost > 0 ? `${rows_lost} rows could not be written` : null),
  },
  {
    limit: 'starts dropped by the client’s own fault: none',
    because:
      'a start that is dropped while less than half of the allowed calls are under way found no free virtual user',
    passed: ({ dropped_by_client: count }) =>
      count > 0
        ? `${count} starts were dropped while less than half of the allowed calls were under way`
        : null,
  },
];

/**
 * The largest of the ascending readings that are left when those of late seconds are forgiven: the worst one, or the worst
 * 1 % where that is more. A percentile of fewer than 100 would be all but their maximum. A single reading is not forgiven,
 * as nothing would be left to judge by; null for none.
 */
export function withoutLateSeconds(ascending: readonly number[]): number | null {
  const forgiven = Math.max(1, Math.floor(ascending.length / 100));
  return ascending[Math.max(0, ascending.length - 1 - forgiven)] ?? null;
}

function above(what: string, value: number | null, limit: number, unit: string): string | null {
  return value === null || value <= limit
    ? null
    : `${what} ${value}${unit} is above ${rounded(limit)}${unit}`;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
