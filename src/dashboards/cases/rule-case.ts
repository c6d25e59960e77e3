import { scaledSeconds } from '../time-scale.ts';

/** How a series goes through the three phases of a case: sound, at fault, sound again. */
export type Course =
  /** A value that stands through each phase; null where there is no sample. */
  | { readonly kind: 'gauge'; readonly values: Phases<number | null> }
  /** What is added at each step of a phase. */
  | { readonly kind: 'counter'; readonly steps: Phases<number> }
  /** A level that moves by so much at each step, from a start of its own in each phase. */
  | { readonly kind: 'slope'; readonly from: Phases<number>; readonly steps: Phases<number> }
  /** A time stamp: that of the moment, one of the start of the fault that stays, or one so many seconds ahead. */
  | { readonly kind: 'clock'; readonly phases: Phases<'now' | 'frozen' | 'none' | number> };

type Phases<T> = readonly [sound: T, fault: T, after: T];

/** By name and labels, as Prometheus writes them. */
export type CaseSeries = Readonly<Record<string, Course>>;

/** One alert on sound series, on its fault, and after it. */
export interface RuleCase {
  readonly alert: string;
  /** Time between samples, and between evaluations; a minute unless given. */
  readonly step?: '30s' | '1m' | '5m' | '10m';
  /** Steps of each phase. */
  readonly lengths: Phases<number>;
  readonly series: CaseSeries;
  /** Labels of the alert beside its name and severity, at the end of the fault. */
  readonly labels: Readonly<Record<string, string>>;
}

export function stepOf({ step = '1m' }: RuleCase): string {
  return step;
}

export function levels(...values: Phases<number | null>): Course {
  return { kind: 'gauge', values };
}

export function grows(...steps: Phases<number>): Course {
  return { kind: 'counter', steps };
}

export function slope(from: Phases<number>, steps: Phases<number>): Course {
  return { kind: 'slope', from, steps };
}

export function clock(...phases: Phases<'now' | 'frozen' | 'none' | number>): Course {
  return { kind: 'clock', phases };
}

/** In the notation of promtool: `1+2x3` is 1 3 5 7. */
export function valuesOf(course: Course, lengths: Phases<number>, step: string): string {
  const size = scaledSeconds(step);
  const starts = [0, lengths[0], lengths[0] + lengths[1]] as const;
  let counted = 0;
  const phase = (index: 0 | 1 | 2): string => {
    const count = lengths[index];
    if (count === 0) return '';
    const now = starts[index] * size;
    if (course.kind === 'gauge') return run(course.values[index], 0, count);
    if (course.kind === 'slope') return run(course.from[index], course.steps[index], count);
    if (course.kind === 'counter') {
      const first = counted + course.steps[index];
      counted += course.steps[index] * count;
      return run(first, course.steps[index], count);
    }
    const stamp = course.phases[index];
    if (stamp === 'none') return run(null, 0, count);
    if (stamp === 'frozen') return run(starts[1] * size, 0, count);
    return run(stamp === 'now' ? now : now + stamp, size, count);
  };
  return ([0, 1, 2] as const)
    .map(phase)
    .filter((text) => text !== '')
    .join(' ');
}

function run(from: number | null, step: number, count: number): string {
  if (from === null) return `_x${count}`;
  return `${from}${step < 0 ? '-' : '+'}${Math.abs(step)}x${count - 1}`;
}
