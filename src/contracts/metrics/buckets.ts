/** Upper bounds of the histograms, seconds. DUR, TTFT and TPOT begin as those of the OTel GenAI conventions do. */

/** gen_ai.client.operation.duration, and two more for tasks. */
export const DUR = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92, 163.84, 327.68,
] as const;

/** gen_ai.server.time_to_first_token, which ends at 10, and what slow models need. */
export const TTFT = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 15, 20, 30, 45, 60,
] as const;

/** gen_ai.server.time_per_output_token. */
export const TPOT = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5] as const;

/** Stages of image jobs and video tasks. */
export const STAGE = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 180, 300, 600, 900, 1800] as const;

/** End of a run to its settled record. */
export const LAG = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 21_600] as const;

/** Planned to real start of a run. */
export const START = [0.01, 0.1, 0.5, 1, 5, 30, 120] as const;

export const PROBE_BUCKETS = { DUR, TTFT, TPOT, STAGE, LAG, START } as const;
