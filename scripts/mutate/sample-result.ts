import { z } from 'zod';
import { compareText } from '../../src/core/compare-text.ts';
import { markdownTable } from '../markdown-table.ts';

/** Where the last result stands, from the root of the tree. */
export const RESULT = 'test/sampled-mutants.json';
/** The page that shows it, between its markers. */
export const PAGE = 'docs/sampled-mutants.md';

const survivor = z.strictObject({
  file: z.string(),
  line: z.int(),
  column: z.int(),
  mutator: z.string(),
  was: z.string(),
  now: z.string(),
  /** False where no test reaches the place at all. */
  covered: z.boolean(),
});
export type Survivor = z.infer<typeof survivor>;

const counts = z.strictObject({
  /** All that the folder has, of which the sample was drawn. */
  in_all: z.int(),
  mutants: z.int(),
  killed: z.int(),
  timeouts: z.int(),
  survived: z.int(),
  no_coverage: z.int(),
  /** Places that run only while a file is loaded; these are not tried, and count for no score. */
  at_load: z.int(),
  /** Mutants that the runner could not judge; they count for no score. */
  errors: z.int(),
  /** Killed and timeouts, of all that were judged, in percent. Null where none was judged. */
  score: z.number().nullable(),
});
type Counts = z.infer<typeof counts>;

export const sampleResult = z.strictObject({
  schema: z.literal(1),
  date: z.string(),
  seed: z.int(),
  sample: z.int(),
  seconds: z.int(),
  versions: z.record(z.string(), z.string()),
  folders: z.record(z.string(), counts),
  survivors: z.array(survivor),
});
export type SampleResult = z.infer<typeof sampleResult>;

/** What became of one drawn mutant. */
export interface Judged extends Omit<Survivor, 'covered'> {
  readonly status: string;
}

/** Counts what became of the drawn mutants of one folder. */
export function countsOf(in_all: number, judged: readonly Judged[]): Counts {
  const of = (...statuses: readonly string[]): number =>
    judged.filter(({ status }) => statuses.includes(status)).length;
  const killed = of('Killed');
  const timeouts = of('Timeout');
  const survived = of('Survived');
  const no_coverage = of('NoCoverage');
  const at_load = of('Ignored');
  const valid = killed + timeouts + survived + no_coverage;
  return {
    in_all,
    mutants: judged.length,
    killed,
    timeouts,
    survived,
    no_coverage,
    at_load,
    errors: judged.length - valid - at_load,
    score: valid === 0 ? null : Math.round(((killed + timeouts) / valid) * 1000) / 10,
  };
}

/** Lists those that no test saw, by file and place. */
export function survivorsOf(judged: readonly Judged[]): Survivor[] {
  return judged
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .sort((a, b) => compareText(a.file, b.file) || a.line - b.line || a.column - b.column)
    .map(({ status, ...place }) => ({ ...place, covered: status === 'Survived' }));
}

/** Gives the page with the tables of a result between its markers; throws where the page has none. */
export function pageWith(page: string, result: SampleResult): string {
  const parts = page.split(/(?<=<!-- sample -->\n)[\s\S]*?(?=<!-- \/sample -->)/);
  if (parts.length !== 2) throw new Error(`${PAGE} lacks the lines <!-- sample --> and <!-- /sample -->`);
  return parts.join(`\n${tables(result)}\n\n`);
}

function tables({ date, seed, sample, seconds, versions, folders, survivors }: SampleResult): string {
  const with_ = Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
  const head = [
    'folder',
    'mutants in all',
    'drawn',
    'killed',
    'timeouts',
    'survived',
    'no coverage',
    'at load',
    'errors',
    'score, %',
  ];
  const rows = Object.entries(folders).map(([folder, of]) => [
    `\`${folder}\``,
    ...[
      of.in_all,
      of.mutants,
      of.killed,
      of.timeouts,
      of.survived,
      of.no_coverage,
      of.at_load,
      of.errors,
    ].map(String),
    of.score?.toFixed(1) ?? '–',
  ]);
  const list = survivors.map(({ file, line, column, mutator, was, now, covered }) => [
    `\`${file}\` ${line}:${column}`,
    mutator,
    code(was),
    code(now),
    covered ? 'yes' : 'no',
  ]);
  return [
    `${date}, seed ${seed}, ${sample} drawn of each folder, ${seconds} s, with ${with_}.`,
    markdownTable(head, rows),
    markdownTable(['survivor', 'mutator', 'was', 'replaced by', 'reached by a test'], list),
  ].join('\n\n');
}

/** Shows code in a cell, which holds no line break and no bar. */
function code(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const shown = line.length > 80 ? `${line.slice(0, 79)}…` : line;
  return shown === '' ? 'nothing' : `\`\` ${shown.replaceAll('|', '\\|')} \`\``;
}
