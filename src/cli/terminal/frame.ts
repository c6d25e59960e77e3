import { KIND_COLUMNS, type KindColumn, type Tone } from '../../app/live/kind-columns.ts';
import {
  errorName,
  goalWords,
  leftWords,
  narrow,
  sampleWords,
  settlementWords,
  shareDone,
  spendWords,
  stageWords,
  tickOf,
  timeWords,
} from '../../app/live/progress-words.ts';
import { type Figures, type LoadProgress, type Progress, WINDOW_MS } from '../../app/notices/progress.ts';
import { figure, ms } from '../../report/words/figure-text.ts';

const MOST_ERRORS = 3;
const MOST_OBJECTIVES = 4;
const LEGEND = `times in ms and tokens: of calls that ended in the last ${WINDOW_MS / 1000} s`;

/** The size of a terminal, in characters. */
export interface FrameSize {
  readonly columns: number;
  readonly rows: number;
}

/**
 * What a terminal shows of a running command: never wider or taller than it, and a row less, since the cursor stands
 * below. A pure function of what is known.
 */
export function frame(progress: Progress, { columns, rows }: FrameSize, colour: boolean): readonly string[] {
  // The last column stays free: some terminals break the line at once when it is written to.
  const width = Math.max(0, columns - 1);
  const { load } = progress;
  const head = [title(progress), ...barLines(progress, width)];
  const table = load === null ? [] : kindTable(load, width);
  const tail = load === null ? [] : [...errorLines(load), ...objectiveLines(load), ...footLines(load)];
  const legend = load === null ? [] : [[span(LEGEND, 'muted')]];
  const most = Math.max(0, rows - 1);
  const least = shortened({ head, table, tail }, most);
  const lines = least.length + legend.length <= most ? [...least, ...legend] : least;
  return lines.map((line) => painted(fitted(line, width), colour));
}

function title(progress: Progress): StyledLine {
  const { command, target, load, settlement } = progress;
  const time = timeLeft(progress);
  const settling = progress.stage === 'settle' && settlement !== null;
  const state = settling ? settlementWords(settlement) : null;
  const words = [time, state].filter((part) => part !== null).join(' · ');
  const tone = load !== null && load.halted !== null ? 'warning' : 'plain';
  return [
    span(stageWords(progress), 'strong'),
    ...(words === '' ? [] : [span(' · ', 'muted'), span(words, tone)]),
    span(` · ${command} ${narrow(target)}`, 'muted'),
  ];
}

const MOST_BAR = 60;

/** A bar of characters that are one column wide on every terminal. */
function barLines({ stage, load }: Progress, width: number): readonly StyledLine[] {
  if ((stage !== 'load' && stage !== 'trial') || load === null) return [];
  const share = shareDone(load);
  const room = Math.min(MOST_BAR, width - '[] 100 %'.length);
  if (room < 4) return [];
  const full = Math.floor(share * room);
  const tone = load.halted === null ? 'good' : 'warning';
  return [
    [
      span('[', 'muted'),
      span('#'.repeat(full), tone),
      span(`${'-'.repeat(room - full)}]`, 'muted'),
      span(` ${Math.floor(share * 100)} %`),
    ],
  ];
}

function objectiveLines({ objectives }: LoadProgress): readonly StyledLine[] {
  return objectives
    .slice(0, MOST_OBJECTIVES)
    .map((objective) => [
      span(`goal ${tickOf(objective)} `, objective.met === null ? 'muted' : objective.met ? 'good' : 'bad'),
      span(narrow(goalWords(objective))),
    ]);
}

function timeLeft({ stage, load, settlement }: Progress): string | null {
  if ((stage === 'load' || stage === 'trial') && load !== null) return timeWords(load);
  return stage === 'settle' && settlement !== null ? leftWords(settlement.left_ms) : null;
}

function errorLines({ errors, errors_others }: LoadProgress): readonly StyledLine[] {
  const told = errors.slice(0, MOST_ERRORS);
  const others = errors.slice(MOST_ERRORS).reduce((sum, { count }) => sum + count, errors_others);
  const lines = told.map((error): StyledLine => {
    const kinds = Object.entries(error.kinds).map(([kind, count]) => `${kind} ${count}`);
    return [
      span('error  ', 'bad'),
      span(`${error.count} × ${errorName(error)}`),
      span(` (${kinds.join(', ')})`, 'muted'),
    ];
  });
  return others === 0 ? lines : [...lines, [span('error  ', 'bad'), span(`${others} others`)]];
}

function footLines(load: LoadProgress): readonly StyledLine[] {
  const spend = spendWords(load);
  const sample = sampleWords(load);
  const { cpu_cores, sched_lag_ms, rows_lost } = load.client;
  const client = [
    `start lag ${ms(sched_lag_ms)} ms`,
    `CPU ${figure(cpu_cores)} cores`,
    ...(rows_lost === 0 ? [] : [`${rows_lost} rows lost`]),
  ];
  return [
    ...(spend === null ? [] : [[span('money  ', 'muted'), span(spend)]]),
    [span('client ', 'muted'), span(client.join(' · '), rows_lost === 0 ? 'plain' : 'bad')],
    ...(sample === null ? [] : [[span('sample ', 'muted'), span(sample)]]),
  ];
}

interface Parts {
  readonly head: readonly StyledLine[];
  readonly table: readonly StyledLine[];
  readonly tail: readonly StyledLine[];
}

/** Where rows are few: the time, the table's heading and total, and the money go last. */
function shortened({ head, table, tail }: Parts, rows: number): readonly StyledLine[] {
  const whole = [...head, ...table, ...tail];
  if (whole.length <= rows) return whole;
  const room = rows - head.length - tail.length;
  // Heading, one kind or the note that some are left out, and the total.
  if (room >= 3) {
    const shown = room - 2;
    const left = table.length - 1 - shown;
    const note = [span(`… ${left} more kinds`, 'muted')];
    return [...head, ...table.slice(0, shown), note, ...table.slice(-1), ...tail];
  }
  const few = [...head, ...table.slice(0, 1), ...table.slice(-1)];
  const least = table.length === 0 ? head : few;
  return [...least, ...tail].slice(0, rows);
}

const GAP = 2;

/** One line a kind under its heading, and the total last, with as many columns as have room. */
function kindTable({ kinds, total }: LoadProgress, columns: number): readonly StyledLine[] {
  const rows = [
    ...kinds.map(({ kind, ...figures }): Row => ({ name: kind, figures })),
    ...(kinds.length === 1 ? [] : [{ name: 'total', figures: total }]),
  ];
  const nameWidth = Math.max('kind'.length, ...rows.map(({ name }) => name.length));
  const wide = KIND_COLUMNS.map((column) => ({ column, width: widthOf(column, rows) }));
  const shown = wide.filter(({ column }) => {
    const before = wide.filter((other) => other.column.rank <= column.rank);
    return before.reduce((sum, { width }) => sum + GAP + width, nameWidth) <= columns;
  });
  const cell = (text: string, width: number) => `${' '.repeat(GAP)}${text.padStart(width)}`;
  const heading = [
    span('kind'.padEnd(nameWidth), 'muted'),
    ...shown.map(({ column, width }) => span(cell(column.title, width), 'muted')),
  ];
  const lines = rows.map(({ name, figures }) => [
    span(name.padEnd(nameWidth), name === 'total' ? 'strong' : 'plain'),
    ...shown.map(({ column, width }) =>
      span(cell(column.cell(figures), width), column.tone?.(figures) ?? 'plain'),
    ),
  ]);
  return [heading, ...lines];
}

interface Row {
  readonly name: string;
  readonly figures: Figures;
}

function widthOf(column: KindColumn, rows: readonly Row[]): number {
  return Math.max(column.title.length, ...rows.map(({ figures }) => column.cell(figures).length));
}

/** Text of one tone; a column of a terminal for each character. */
interface Span {
  readonly text: string;
  readonly tone: Tone;
}

type StyledLine = readonly Span[];

const SGR: Readonly<Record<Tone, string>> = {
  plain: '',
  strong: '1',
  muted: '2',
  good: '32',
  warning: '33',
  bad: '31',
};

function span(text: string, tone: Tone = 'plain'): Span {
  return { text, tone };
}

function columnsOf(line: StyledLine): number {
  return line.reduce((width, { text }) => width + text.length, 0);
}

/** The line in so many columns, the last of them an ellipsis where it is cut. */
function fitted(line: StyledLine, columns: number): StyledLine {
  if (columnsOf(line) <= columns) return line;
  let left = Math.max(0, columns - 1);
  const kept = line.map(({ text, tone }) => {
    const part = text.slice(0, left);
    left -= part.length;
    return { text: part, tone };
  });
  return columns <= 0 ? [] : [...kept.filter(({ text }) => text !== ''), span('…', 'muted')];
}

/** With escape sequences where colours are wanted; each span ends what it began. */
function painted(line: StyledLine, colour: boolean): string {
  return line
    .map(({ text, tone }) => (colour && tone !== 'plain' ? `\u001b[${SGR[tone]}m${text}\u001b[0m` : text))
    .join('');
}
