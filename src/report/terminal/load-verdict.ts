import type { CapacityResult } from '../../contracts/capacity-result.ts';
import type { KindResult, LoadResult } from '../../contracts/load-result.ts';
import type { Result } from '../../contracts/result.ts';
import type { LatencyTables } from '../../contracts/time-figures.ts';
import { alignedRows } from '../../text/aligned-rows.ts';
import { capacityWords, stepTable } from '../sections/capacity-section.ts';
import { failedDownloadWords } from '../words/failed-download-words.ts';
import { cutWords, failureWords } from '../words/failure-words.ts';
import { ms, rateText } from '../words/figure-text.ts';
import { objectiveWords } from '../words/objective-words.ts';
import { tokenRates } from '../words/token-rates.ts';
import { tokenWords } from '../words/token-words.ts';
import { clientWords, guessLines, headline } from '../words/verdict-words.ts';

const LABEL_WIDTH = 10;

const TIMES: readonly (readonly [keyof LatencyTables, string])[] = [
  ['ttft', 'TTFT'],
  ['itl', 'ITL'],
  ['tpot', 'TPOT'],
  ['e2e', 'e2e'],
];

/**
 * The verdict on a load where there is no bill, for a terminal: first what the server said where a call failed, then rates
 * and times of each kind, then whether the client was fit to measure. It holds no word of money.
 */
export function renderLoadVerdict(
  result: Result,
  load: LoadResult,
  { width, report }: { readonly width: number; readonly report?: string | undefined },
): string[] {
  const { capacity, client, exit_codes } = result;
  const objectives = objectiveWords(result) ?? [];
  const downloads = failedDownloadWords(load.failed_downloads);
  const cut = cutWords(load.kinds);
  const tokens = tokenWords(load);
  const line = (label: string, text: string) => `${label.padEnd(LABEL_WIDTH - 1)} ${text}`;
  return [
    line('verdict', `${headline(result).text}${stepWords(capacity)}`),
    ...failureWords(load.kinds, width - LABEL_WIDTH).map((words) => line('failed', words)),
    ...(cut === '' ? [] : [line('cut', cut)]),
    ...rateTable(load.kinds),
    ...timeTable(load.kinds),
    ...(tokens === null ? [] : [line('tokens', tokens)]),
    ...(capacity === null ? [] : [...stepTable(capacity), line('capacity', capacityWords(capacity))]),
    ...(downloads === null ? [] : [line('download', downloads)]),
    ...result.stopped.map(({ kind, reason }) => line('stopped', `${kind}: ${reason}`)),
    line('client', clientWords(client)),
    ...objectives.map((words) => line('objective', words)),
    ...(exit_codes.length === 0
      ? []
      : [line('exit', exit_codes.map(({ code, why }) => `${code}: ${why}`).join(' · '))]),
    ...guessLines(result).map((words) => line('guess', words)),
    ...(report === undefined ? [] : [line('report', report)]),
  ];
}

/** Which step of a search the figures are of: that of the highest rate that held, else the last. */
function stepWords(capacity: CapacityResult | null): string {
  if (capacity === null) return '';
  const { steps, rate_scale } = capacity;
  const step =
    steps.find((each) => each.verdict === 'held' && each.rate_scale === rate_scale) ?? steps.at(-1);
  return step === undefined ? '' : ` These figures are those of ${step.instance}.`;
}

function rateTable(kinds: readonly KindResult[]): readonly string[] {
  const held = kinds.some((kind) => kind.held > 0);
  const head = [
    'kind',
    'asked/s',
    'starts/s',
    'planned',
    'started',
    'dropped',
    ...(held ? ['held'] : []),
    'ok',
    'good calls/s',
    'output tokens/s',
    'per stream',
  ];
  const rows = kinds.map((kind) => [
    kind.kind,
    rateText(kind.asked_rate),
    rateText(kind.achieved_rate),
    String(kind.planned),
    String(kind.started),
    String(kind.dropped),
    ...(held ? [String(kind.held)] : []),
    String(kind.ok),
    rateText(kind.goodput),
    ...tokenRates(kind),
  ]);
  return alignedRows([head, ...rows]);
}

/** Empty where no call succeeded. */
function timeTable(kinds: readonly KindResult[]): readonly string[] {
  const rows = kinds.flatMap(({ kind, latency }) =>
    TIMES.flatMap(([key, name]) => {
      const table = latency[key];
      if (table === null) return [];
      const { count, mean, p50, p90, p95, p99, max } = table;
      return [[`${kind} ${name}`, String(count), ...[mean, p50, p90, p95, p99, max].map(ms)]];
    }),
  );
  return rows.length === 0
    ? []
    : alignedRows([['ms', 'calls', 'mean', 'p50', 'p90', 'p95', 'p99', 'max'], ...rows]);
}
