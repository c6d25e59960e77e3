import type { CapacityEnd, CapacityResult } from '../core/result.ts';
import { ABSENT, percent, rate } from './figure-text.ts';
import { type Section, table, text } from './report-document.ts';

const ENDED: Readonly<Record<CapacityEnd, string>> = {
  resolved: 'The next rate that was tried did not hold.',
  most_steps: 'The most steps were made before the search was as fine as asked for.',
  client_limited: 'The client, not the target, was the limit: the capacity may be higher.',
  spend_cap: 'The spend cap left no room for another step: the capacity may be higher.',
  not_permitted: 'The permission of the target allows no higher rate: the capacity may be higher.',
  halted: 'The last step was halted, or no call succeeded.',
  interrupted: 'The search was interrupted.',
};

/** The search in one line. */
export function capacityWords({ rate_scale, asked_rate, ended }: CapacityResult): string {
  const found =
    rate_scale === null ? 'no rate held' : `${rate(asked_rate)}/s held (${rate_scale} × the plan)`;
  return `${found}: ${ENDED[ended].charAt(0).toLowerCase()}${ENDED[ended].slice(1, -1)}`;
}

/** The search for the highest rate that holds, step by step. */
export function capacitySection({ rate_scale, asked_rate, ended, steps }: CapacityResult): Section {
  const found =
    rate_scale === null
      ? 'No rate held.'
      : `Highest rate at which every objective is met and the client is valid: ${rate(asked_rate)} starts per second, ${rate_scale} × the planned rates.`;
  const rows = steps.map((step) => [
    step.instance,
    `${step.rate_scale}`,
    rate(step.asked_rate),
    rate(step.achieved_rate),
    rate(step.goodput),
    percent(step.attainment),
    step.verdict,
    step.reasons.length === 0 ? ABSENT : step.reasons.join('; '),
  ]);
  return {
    id: 'capacity',
    title: 'Capacity',
    blocks: [
      text(`${found} ${ENDED[ended]} The load and latency above are those of that step, or of the last one.`),
      table(
        ['step', '#× planned', '#asked/s', '#rate/s', '#goodput/s', '#attainment', 'verdict', 'why'],
        rows,
      ),
    ],
  };
}
