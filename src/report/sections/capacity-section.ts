import type { CapacityEnd, CapacityResult, CapacityStep } from '../../contracts/capacity-result.ts';
import type { ObjectiveResult } from '../../contracts/load-result.ts';
import { alignedRows } from '../../text/aligned-rows.ts';
import { ABSENT, ms, percent, rateText } from '../words/figure-text.ts';
import { type Block, type CurvePoint, type Section, table, text } from './report-document.ts';

const ENDED: Readonly<Record<CapacityEnd, string>> = {
  resolved: 'The next rate that was tried did not hold.',
  most_steps: 'The most steps were made before the search was as fine as asked for.',
  client_limited:
    'This machine was too busy to judge the next rate: repeat on a quiet one. The capacity may be higher.',
  spend_cap: 'The spend cap was too small for another step: the capacity may be higher.',
  not_permitted: 'The permission of the target allows no higher rate: the capacity may be higher.',
  too_few_calls: 'A step has too few calls to decide an objective: lengthen --step or raise the rate.',
  halted: 'The last step was halted, or no call succeeded.',
  interrupted: 'The search was interrupted.',
};

/** The search in one line. */
export function capacityWords(capacity: CapacityResult): string {
  const { rate_scale, ended } = capacity;
  const found =
    rate_scale === null ? 'no rate held' : `${heldWords(capacity, '/s')} held (${rate_scale} × the plan)`;
  const missed = lowestMissed(capacity);
  const above = missed === undefined ? '' : `, ${rateText(missed.asked_rate)}/s missed`;
  const dropped = droppedWords(capacity);
  const why = `${ENDED[ended]}${dropped === null ? '' : ` ${dropped}`}`;
  return `${found}${above}: ${why.charAt(0).toLowerCase()}${why.slice(1, -1)}`;
}

/** What held: the rate asked for, or the calls that closed loops kept under way and the rate that they reached. */
function heldWords({ rate_scale, asked_rate, steps }: CapacityResult, perSecond: string): string {
  const best = steps.find((step) => step.verdict === 'held' && step.rate_scale === rate_scale);
  const loops = best?.concurrency ?? null;
  if (loops === null) return `${rateText(asked_rate)}${perSecond}`;
  const atOnce = `${loops} ${loops === 1 ? 'call' : 'calls'} at once`;
  return `${atOnce} (${rateText(best?.achieved_rate ?? null)}${perSecond} reached)`;
}

function lowestMissed({ steps }: CapacityResult) {
  const missed = steps.filter(({ verdict }) => verdict === 'missed');
  return missed.toSorted((left, right) => left.rate_scale - right.rate_scale).at(0);
}

/** Where the lowest rate that missed dropped starts and met every objective; null where an objective was missed there. */
function droppedWords(capacity: CapacityResult): string | null {
  const lowest = lowestMissed(capacity);
  return lowest?.only_dropped === true
    ? `At ${lowest.rate_scale} × the plan max_in_flight, not an objective, was the limit: raise it to find what the target holds.`
    : null;
}

/** A table of the steps, its head first: rates, what was measured of each objective, and the verdict with its reasons. */
function capacityRows({ steps }: CapacityResult): readonly (readonly string[])[] {
  const objectives = steps.find((step) => step.objectives.length > 0)?.objectives ?? [];
  const loops = steps.some(({ concurrency }) => concurrency !== null);
  return [
    [
      'step',
      '× planned',
      ...(loops ? ['at once'] : []),
      'asked/s',
      'starts/s',
      'good calls/s',
      'attainment',
      ...objectives.map(objectiveName),
      'verdict',
      'why',
    ],
    ...steps.map((step) => [
      step.instance,
      `${step.rate_scale}`,
      ...(loops ? [step.concurrency === null ? ABSENT : `${step.concurrency}`] : []),
      rateText(step.asked_rate),
      rateText(step.achieved_rate),
      rateText(step.goodput),
      percent(step.attainment),
      ...objectives.map((_, index) => measuredText(step.objectives[index])),
      step.verdict,
      step.reasons.length === 0 ? ABSENT : step.reasons.join('; '),
    ]),
  ];
}

/** The steps as lines of a terminal, without their reasons, which were told when they were made. */
export function stepTable(capacity: CapacityResult): string[] {
  const rows = capacityRows(capacity).map((row) => row.slice(0, -1));
  return alignedRows(rows, (column) => column === 0 || column === (rows[0]?.length ?? 0) - 1);
}

function objectiveName({ scenario, measure, percentile }: ObjectiveResult): string {
  return percentile === null
    ? `${scenario} ${measure}`
    : `${scenario} ${measure.replace(/_ms$/, '')} p${percentile} ms`;
}

function measuredText(objective: ObjectiveResult | undefined): string {
  const actual = objective?.actual ?? null;
  if (objective === undefined || actual === null) return ABSENT;
  if (objective.percentile !== null) return ms(actual);
  return objective.measure.endsWith('_share') ? percent(actual) : rateText(actual);
}

const TONE: Readonly<Record<CapacityStep['verdict'], CurvePoint['tone']>> = {
  held: 'good',
  missed: 'bad',
  client_limited: 'warning',
  halted: 'warning',
  too_few_calls: 'warning',
};

/** Throughput against latency: the time to the first token where calls stream, else that to the end. */
function latencyCurve({ steps }: CapacityResult): readonly Block[] {
  const streams = steps.some(({ ttft_p95_ms }) => ttft_p95_ms !== null);
  const points = steps.flatMap((step): CurvePoint[] => {
    const time = streams ? step.ttft_p95_ms : step.e2e_p95_ms;
    if (step.goodput === null || time === null) return [];
    return [{ label: step.instance, x: step.goodput, y: time, tone: TONE[step.verdict] }];
  });
  const [y, name] = streams
    ? ['TTFT p95, ms', 'time to the first token']
    : ['e2e p95, ms', 'time to the end'];
  const title = `Throughput against ${name}: each point is a step; green met every objective, red missed one, brown could not be judged`;
  return points.length < 2
    ? []
    : [{ type: 'curve', curve: { title, x: 'good calls per second', y, points } }];
}

/** The search for the highest rate that holds, step by step. */
export function capacitySection(capacity: CapacityResult): Section {
  const { rate_scale, ended } = capacity;
  const dropped = droppedWords(capacity);
  const [head = [], ...rows] = capacityRows(capacity);
  const found =
    rate_scale === null
      ? 'No rate held.'
      : `Highest rate at which every objective is met and the client is valid: ${heldWords(capacity, ' starts per second')}, ${rate_scale} × the planned rates.`;
  return {
    id: 'capacity',
    title: 'Capacity',
    blocks: [
      text(
        `${found} ${ENDED[ended]}${dropped === null ? '' : ` ${dropped}`} The load and latency above are those of that step, or of the last one.`,
      ),
      ...latencyCurve(capacity),
      table(
        head.map((name, column) => (column === 0 || column >= head.length - 2 ? name : `#${name}`)),
        rows,
      ),
    ],
  };
}
