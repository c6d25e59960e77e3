import type { StreamLoad, StreamRun } from './clients/stream-client.ts';
import type { Truth } from './mock.ts';
import { observedByServer } from './observed.ts';
import { difference } from './statistics.ts';

/** One run of one client; errors are what it says minus the truth, at the same quantile, ms. */
export interface StreamFigures {
  readonly cpu_s_per_1000: number;
  readonly ttft_error_p50_ms: number | null;
  readonly ttft_error_p99_ms: number | null;
  readonly itl_error_p99_ms: number | null;
  readonly itl_error_p99_exact_ms: number | null;
  readonly mean_itl_error_p99_ms: number | null;
  readonly streams_per_s: number;
  readonly peak_pss_mb: number;
  readonly hwm_mb: number;
  readonly asked: number;
  readonly completed: number;
  readonly most_open: number;
  readonly wall_s: number;
  readonly true_ttft_p50_ms: number | null;
  readonly true_itl_p99_ms: number | null;
  readonly server_cpu_s: number;
  readonly other_cpu_s: number | null;
}

export function streamFigures(load: StreamLoad, { run, observed }: StreamRun): StreamFigures {
  const { used, truth } = run;
  const asked = load.workers * load.each;
  const server = observedByServer(truth);
  return {
    cpu_s_per_1000: ((used.user_s + used.system_s) * 1000) / asked,
    ttft_error_p50_ms: difference(observed.ttft_p50, server.ttft_p50),
    ttft_error_p99_ms: difference(observed.ttft_p99, server.ttft_p99),
    itl_error_p99_ms: difference(observed.itl_p99, server.itl_p99),
    itl_error_p99_exact_ms: difference(observed.itl_p99_exact, server.itl_p99_exact),
    mean_itl_error_p99_ms: difference(observed.mean_itl_p99, server.mean_itl_p99),
    streams_per_s: perSecond(truth),
    peak_pss_mb: used.peak_pss_bytes / 1e6,
    hwm_mb: used.hwm_bytes / 1e6,
    asked,
    completed: observed.completed,
    most_open: truth.most_open,
    wall_s: used.wall_s,
    true_ttft_p50_ms: server.ttft_p50,
    true_itl_p99_ms: server.itl_p99_exact,
    server_cpu_s: truth.cpu_s,
    other_cpu_s: run.other_cpu_s,
  };
}

/** Whole streams over the time from the first arrival to the last event, at the server. */
function perSecond(truth: Truth): number {
  const whole = truth.streams.filter(({ cut }) => !cut);
  const first = Math.min(...truth.streams.map(({ arrived_us }) => arrived_us));
  const last = Math.max(...whole.map(({ arrived_us, sent_us }) => arrived_us + (sent_us.at(-1) ?? 0)));
  return whole.length === 0 ? 0 : (whole.length * 1e6) / (last - first);
}
