import type { KindResult } from '../../contracts/load-result.ts';
import type { Result } from '../../contracts/result.ts';
import { alignedRows } from '../../text/aligned-rows.ts';
import { capacityWords, stepTable } from '../sections/capacity-section.ts';
import { billIdentity, billWords } from '../words/bill-words.ts';
import { cacheWords } from '../words/cache-words.ts';
import { callsOf, showsCalls } from '../words/calls-column.ts';
import { chainWords } from '../words/chain-words.ts';
import { failedDownloadWords } from '../words/failed-download-words.ts';
import { cutWords, failureWords } from '../words/failure-words.ts';
import { ms, rateText } from '../words/figure-text.ts';
import { keyWords } from '../words/key-words.ts';
import { objectiveWords } from '../words/objective-words.ts';
import { outputRate } from '../words/token-rates.ts';
import { tokenWords } from '../words/token-words.ts';
import {
  allFailedWords,
  clientWords,
  findingWords,
  headline,
  moneyWords,
  recordBasisWords,
  roundingWords,
  statementWords,
  trafficWords,
  wasToDrive,
} from '../words/verdict-words.ts';
import { groupTable } from './group-table.ts';
import { renderLoadVerdict } from './load-verdict.ts';

const MOST_LINES = 14;
const LABEL_WIDTH = 10;

/**
 * The verdict for a terminal: at most 14 plain lines, and the steps of a search for the capacity. `width` (columns) shortens lists only; amounts and the path
 * are never cut.
 */
export function renderVerdict(
  result: Result,
  options: {
    readonly width: number;
    readonly report?: string;
    /** A finding that is worth a look. */
    readonly finding?: string | null;
  },
): string[] {
  if (result.bill === 'none' && result.load !== null)
    return renderLoadVerdict(result, result.load, { width: options.width, report: options.report });
  const rounding = roundingWords(result);
  const kinds = result.load?.kinds ?? [];
  const width = options.width - LABEL_WIDTH;
  const failed = failedLine(kinds, width);
  const objectives = objectiveWords(result);
  const tail: [label: string, text: string][] = [
    ['money', moneyWords(result)],
    ['findings', findingsLine(result, width)],
  ];
  const cache = cacheWords(result.cache);
  if (cache !== null) tail.push(['cache', cache]);
  if (rounding !== null) tail.push(['book', rounding]);
  if (result.basis === 'records') tail.push(['judged', recordBasisWords(result)]);
  if (result.bucket_bill !== undefined) {
    tail.push(['bill', billWords(result.bucket_bill)]);
    tail.push(['sums', billIdentity(result.bucket_bill)]);
  }
  if (result.statement !== null) tail.push(['statement', statementWords(result.statement)]);
  if (result.chain !== undefined) tail.push(['chain', chainWords(result.chain)]);
  const allFailed = allFailedWords(result);
  // Whoever reads only one line reads this one.
  if (result.money !== null && allFailed === null) tail.unshift(['verdict', headline(result).text]);
  if (result.capacity !== null) tail.unshift(['capacity', capacityWords(result.capacity)]);
  if (failed !== '') tail.push(['failed', failed]);
  for (const [name, words] of trafficWords(result)) tail.push([name.toLowerCase(), words]);
  const keys = keyWords(result);
  if (keys.length > 0) tail.push(['keys', listed(keys, width)]);
  const downloads = failedDownloadWords(result.load?.failed_downloads ?? []);
  if (downloads !== null) tail.push(['download', downloads]);
  const tokens = result.load === null ? null : tokenWords(result.load);
  if (tokens !== null) tail.push(['tokens', tokens]);
  if (result.stopped.length > 0) tail.push(['stopped', stoppedLine(result, width)]);
  if (wasToDrive(result)) tail.push(['client', clientWords(result.client)]);
  if (objectives !== null) tail.push(['objective', listed(objectives, width)]);
  if (result.exit_codes.length > 0) {
    tail.push(['exit', result.exit_codes.map(({ code, why }) => `${code}: ${why}`).join(' · ')]);
  }

  const table = [
    ...(allFailed === null ? [] : [allFailed]),
    ...kindTable(kinds, result.load?.measured_s ?? 0),
  ];
  const line = ([label, text]: [label: string, text: string]) => `${label.padEnd(LABEL_WIDTH - 1)} ${text}`;
  const lines = tail.map(line);
  const path = [
    ...(options.finding === undefined || options.finding === null
      ? []
      : [line(['look at', `one finding: weighbridge explain ${options.finding}`])]),
    ...(options.report === undefined ? [] : [line(['report', options.report])]),
  ];
  // Eight kinds leave no room for every line of its own: the last ones before the path share one.
  while (table.length + lines.length + path.length > MOST_LINES) {
    const last = lines.pop() ?? '';
    lines.push(`${lines.pop() ?? ''} · ${last.replace(/\s+/, ' ')}`);
  }
  const steps = result.capacity === null ? [] : stepTable(result.capacity);
  return [...table, ...steps, ...groupTable(result.money ?? {}), ...lines, ...path];
}

function kindTable(kinds: readonly KindResult[], seconds: number): string[] {
  if (kinds.length === 0) return [];
  const held = kinds.some((kind) => kind.held > 0);
  const calls = showsCalls(kinds);
  const head = [
    'kind',
    'planned',
    'started',
    'dropped',
    ...(held ? ['held'] : []),
    ...(calls ? ['calls'] : []),
    'ok',
    'starts/s',
    'TTFT p50',
    'p95 ms',
    'e2e p50',
    'p95 ms',
    'tokens/s',
    'good/s',
  ];
  const rows = kinds.map((kind) => [
    kind.kind,
    String(kind.planned),
    String(kind.started),
    String(kind.dropped),
    ...(held ? [String(kind.held)] : []),
    ...(calls ? [String(callsOf(kind))] : []),
    String(kind.ok),
    rateText(kind.achieved_rate),
    ms(kind.latency.ttft?.p50),
    ms(kind.latency.ttft?.p95),
    ms(kind.latency.e2e?.p50),
    ms(kind.latency.e2e?.p95),
    outputRate(kind, seconds),
    rateText(kind.goodput),
  ]);
  return alignedRows([head, ...rows]);
}

/** Empty where nothing failed and nothing was cut. */
function failedLine(kinds: readonly KindResult[], width: number): string {
  const cut = cutWords(kinds);
  const room = cut === '' ? width : width - ` · ${cut}`.length;
  const failures = listed(failureWords(kinds, room), room);
  return cut === '' ? failures : `${failures || 'none'} · ${cut}`;
}

function findingsLine(result: Result, width: number): string {
  if (result.money === null) return 'not looked for';
  const dearest = result.findings.toSorted((left, right) => sizeOf(right) - sizeOf(left));
  return listed(dearest.map(findingWords), width) || 'none';
}

/** For the order alone: no figure is made of it. */
function sizeOf({ delta }: Result['findings'][number]): number {
  return Math.abs(Number(delta ?? 0));
}

function stoppedLine(result: Result, width: number): string {
  return listed(
    result.stopped.map(({ kind, reason }) => `${kind}: ${reason}`),
    width,
  );
}

/** As many of the items as fit, the first always, and how many are left out. */
function listed(items: readonly string[], width: number): string {
  let shown = items.slice(0, 1).join('');
  for (let index = 1; index < items.length; index += 1) {
    const longer = `${shown} · ${items[index]}`;
    const rest = items.length - index - 1;
    if (longer.length + (rest > 0 ? ' · 99 more'.length : 0) > width) return `${shown} · ${rest + 1} more`;
    shown = longer;
  }
  return shown;
}
