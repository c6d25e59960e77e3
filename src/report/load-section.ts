import type { LatencyTables, LoadFigures, LoadResult } from '../core/result.ts';
import { ABSENT, ms, percent, rate } from './figure-text.ts';
import { type Block, type Section, table, text } from './report-document.ts';

export function loadSections(load: LoadResult): readonly Section[] {
  return [
    { id: 'load', title: 'Load', blocks: loadBlocks(load) },
    { id: 'over-time', title: 'Over time', blocks: [{ type: 'charts' }] },
    { id: 'latency', title: 'Latency', blocks: latencyBlocks(load) },
  ];
}

function loadBlocks(load: LoadResult): readonly Block[] {
  const titles = [
    '#planned',
    '#started',
    '#dropped',
    '#held',
    '#ok',
    '#rate/s',
    '#asked/s',
    '#goodput/s',
    '#attainment',
  ];
  const kinds = load.kinds.map((figures) => [figures.kind, ...figureCells(figures), outcomeText(figures)]);
  const scenarios = load.scenarios.map((figures) => [
    figures.scenario,
    figures.kind,
    figures.model,
    ...figureCells(figures),
    figures.tokens === null ? ABSENT : `${figures.tokens.input} / ${figures.tokens.output}`,
  ]);
  const blocks: Block[] = [
    text(
      `Calls were started for ${load.measured_s} s. Starts follow the plan, not the answers (open model).`,
    ),
    table(
      ['kind', ...titles, 'outcomes'],
      [...kinds, ['total', ...figureCells(load.total), outcomeText(load.total)]],
    ),
    table(['scenario', 'kind', 'model', ...titles, '#tokens in / out'], scenarios),
  ];
  const failures = failureRows(load);
  if (failures.length > 0) blocks.push(text('Failed calls and why'), failureTable(failures));
  if (load.objectives.length > 0) blocks.push(text('Objectives'), objectiveTable(load));
  return blocks;
}

function failureRows(load: LoadResult): readonly (readonly string[])[] {
  return load.scenarios.flatMap(({ scenario, failures }) =>
    failures.map(({ outcome, status, error_code, message, count }) => [
      scenario,
      String(count),
      outcome,
      status === null ? ABSENT : String(status),
      error_code ?? ABSENT,
      message ?? ABSENT,
    ]),
  );
}

function failureTable(rows: readonly (readonly string[])[]): Block {
  return table(['scenario', '#calls', 'outcome', '#status', 'error code', 'commonest message'], rows);
}

function objectiveTable(load: LoadResult): Block {
  const rows = load.objectives.map(({ scenario, measure, percentile, max, actual, met }) => [
    scenario,
    percentile === null ? measure : `${measure} p${percentile}`,
    String(max),
    actual === null ? ABSENT : String(actual),
    met ? 'met' : 'missed',
  ]);
  return table(['scenario', 'measure', '#at most', '#measured', 'verdict'], rows);
}

function figureCells(figures: LoadFigures): readonly string[] {
  const { planned, started, dropped, held, ok } = figures;
  return [
    ...[planned, started, dropped, held, ok].map(String),
    rate(figures.achieved_rate),
    rate(figures.asked_rate),
    rate(figures.goodput),
    percent(figures.attainment),
  ];
}

function outcomeText(figures: LoadFigures): string {
  const parts = Object.entries(figures.outcomes).map(([outcome, count]) => `${outcome} ${count}`);
  return parts.length === 0 ? ABSENT : parts.join(', ');
}

const MEASURES: readonly (readonly [keyof LatencyTables, string])[] = [
  ['ttft', 'TTFT'],
  ['ttfo', 'TTFO'],
  ['tpot', 'TPOT'],
  ['itl', 'ITL'],
  ['e2e', 'e2e'],
  ['e2e_planned', 'e2e from plan'],
  ['schedule_lag', 'schedule lag'],
];

function latencyBlocks(load: LoadResult): readonly Block[] {
  const groups = [
    ...load.kinds.map(({ kind, latency }) => ({ name: kind, latency })),
    { name: 'total', ...load.total },
  ];
  const rows = groups.flatMap(({ name, latency }) =>
    MEASURES.flatMap(([key, title]) => {
      const figures = latency[key];
      if (figures === null) return [];
      const { count, min, mean, p50, p90, p95, p99, p999, max } = figures;
      return [[name, title, String(count), ...[min, mean, p50, p90, p95, p99, p999, max].map(ms)]];
    }),
  );
  return [
    text('Milliseconds of calls that were ok; schedule lag of all calls. The definitions stand below.'),
    table(
      ['kind', 'time', '#calls', '#min', '#mean', '#p50', '#p90', '#p95', '#p99', '#p99.9', '#max'],
      rows,
    ),
  ];
}
