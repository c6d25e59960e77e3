import { FAULT_CLASSES } from '../../src/contracts/fault-class.ts';
import type { Graded } from './grade-world.ts';
import type { HonestRun, Power } from './run-worlds.ts';

/** Of the closed list these are no kind of wrong bill of their own: what fits no other class, and notes. */
const NOT_OF_THE_45: ReadonlySet<string> = new Set([
  'amount_mismatch',
  'unknown_status',
  'price_book_unreadable',
]);
const LEAST_CLASSES = 40;
const LEAST_INSTANCES = 20;
const LEAST_SEEDS = 5;
const LEAST_READINGS = 5;
const HONEST_RUNS = 20;

interface PowerCount {
  readonly planted: number;
  readonly proved: number;
  readonly bounded: number;
  readonly no: number;
  readonly found: number;
  readonly missed: number;
  readonly false: number;
}

function countOf(graded: readonly Graded[]): PowerCount {
  const with_ = (test: (one: Graded) => boolean): number => graded.filter(test).length;
  return {
    planted: with_(({ decidable }) => decidable !== null),
    proved: with_(({ decidable }) => decidable === 'proved'),
    bounded: with_(({ decidable }) => decidable === 'bounded'),
    no: with_(({ decidable }) => decidable === 'no'),
    found: with_(({ what }) => what === 'found'),
    missed: with_(({ what }) => what === 'missed'),
    false: with_(({ what }) => what === 'false'),
  };
}

const HEAD = ['planted', 'proved', 'bounded', 'no', 'found', 'missed', 'false', 'recall', 'precision'];

function cells(graded: readonly Graded[]): readonly string[] {
  const count = countOf(graded);
  const { planted, proved, bounded, no, found, missed, false: wrong } = count;
  return [
    ...[planted, proved, bounded, no, found, missed, wrong].map(String),
    share(found, found + missed),
    share(found, found + wrong),
  ];
}

function share(part: number, of: number): string {
  if (of === 0) return '–';
  return part === of ? '100 %' : `${((100 * part) / of).toFixed(1)} %`;
}

/** One row a class, in the order of the closed list, and one for all. */
export function classTable({ graded }: Power): readonly (readonly string[])[] {
  const byClass = Map.groupBy(graded, (one) => one.class);
  return [
    ['class', ...HEAD],
    ...FAULT_CLASSES.flatMap((name) => {
      const of = byClass.get(name);
      return of === undefined ? [] : [[name, ...cells(of)]];
    }),
    ['all', ...cells(graded)],
  ];
}

export function readingTable({ graded }: Power): readonly (readonly string[])[] {
  const byMix = Map.groupBy(graded, ({ mix }) => mix);
  return [['readings', ...HEAD], ...[...byMix].map(([mix, of]) => [mix, ...cells(of)])];
}

export function honestTable({ honest }: Power): readonly (readonly string[])[] {
  const byMix = Map.groupBy(honest, ({ mix }) => mix);
  const sum = (runs: readonly HonestRun[], of: (run: HonestRun) => number): number =>
    runs.reduce((total, run) => total + of(run), 0);
  return [
    ['honest runs under', 'runs', 'calls', 'findings', 'without a conclusion'],
    ...[...byMix].map(([mix, runs]) => [
      mix,
      String(runs.length),
      String(sum(runs, ({ calls }) => calls)),
      String(sum(runs, ({ findings }) => findings.length)),
      String(runs.filter(({ inconclusive }) => inconclusive.length > 0).length),
    ]),
  ];
}

export interface Mark {
  readonly text: string;
  readonly met: boolean;
  readonly is: string;
}

export function marksOf({ graded, honest }: Power): readonly Mark[] {
  const all = countOf(graded);
  const planted = Map.groupBy(
    graded.filter(({ decidable, class: name }) => decidable !== null && !NOT_OF_THE_45.has(name)),
    (one) => one.class,
  );
  const often = [...planted.values()].filter((of) => of.length >= LEAST_INSTANCES).length;
  const seeds = new Set(graded.map(({ seed }) => seed)).size;
  const mixes = new Set(graded.map(({ mix }) => mix)).size;
  const falls = honest.reduce((sum, { findings }) => sum + findings.length, 0);
  return [
    {
      text: `${LEAST_CLASSES} of the 45 classes or more, each planted ${LEAST_INSTANCES} times or more`,
      met: often >= LEAST_CLASSES,
      is: `${often}`,
    },
    { text: `${LEAST_SEEDS} seeds`, met: seeds >= LEAST_SEEDS, is: `${seeds}` },
    { text: `${LEAST_READINGS} mixes of readings or more`, met: mixes >= LEAST_READINGS, is: `${mixes}` },
    {
      text: 'recall 100 % of what is decidable',
      met: all.missed === 0 && all.found > 0,
      is: `${share(all.found, all.found + all.missed)}, ${all.missed} missed`,
    },
    {
      text: 'precision 100 %',
      met: all.false === 0 && all.found > 0,
      is: `${share(all.found, all.found + all.false)}, ${all.false} false`,
    },
    {
      text: `no finding on ${HONEST_RUNS} honest runs`,
      met: falls === 0 && honest.length >= HONEST_RUNS,
      is: `${falls} on ${honest.length}`,
    },
  ];
}
