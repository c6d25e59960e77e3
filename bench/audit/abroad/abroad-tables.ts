import { OWN_READINGS, type Readings } from '../../../src/gateway/readings/readings.ts';
import type { Mark } from '../power-tables.ts';
import { abroadMarks } from './abroad-marks.ts';
import type { JudgedAbroad } from './abroad-worlds.ts';

export interface AbroadTable {
  readonly ours: readonly Mark[];
  /** The marks that each shadow fails. */
  readonly shadows: Readonly<Record<string, readonly string[]>>;
}

export function abroadTable(judged: readonly JudgedAbroad[]): AbroadTable {
  const names = [...new Set(judged.flatMap(({ shadows }) => Object.keys(shadows)))];
  const failed = (name: string): readonly string[] =>
    abroadMarks(judged.map((world) => ({ ...world, audits: world.shadows[name] ?? [] })))
      .filter(({ met }) => !met)
      .map(({ text }) => text);
  return {
    ours: abroadMarks(judged),
    shadows: Object.fromEntries(names.map((name) => [name, failed(name)])),
  };
}

const SHOWN = 40;

/** The marks, and what each world that misses one said. */
export function abroadLines(judged: readonly JudgedAbroad[]): readonly string[] {
  const { ours, shadows } = abroadTable(judged);
  const wrong = judged.flatMap(wrongOf);
  return [
    ...ours.map(({ text, met, is }) => `${met ? 'met' : 'missed'}: ${text} (${is})`),
    ...Object.entries(shadows).map(
      ([name, failed]) =>
        `${failed.length > 0 ? 'met' : 'missed'}: an auditor that ${name} fails (${failed.length} marks)`,
    ),
    ...wrong.slice(0, SHOWN),
    ...(wrong.length > SHOWN ? [`and ${wrong.length - SHOWN} more`] : []),
  ];
}

/** What a world says against a mark, each with what it takes to see it again. */
export function wrongOf({ seed, planted, readings, audits }: JudgedAbroad): readonly string[] {
  const said = audits.flatMap(({ manner, accusations, claims, untrue, faults }) => [
    ...accusations.map((text) => `${manner}: accused: ${text}`),
    ...(planted || claims === 0 ? [] : [`${manner}: ${claims} lines of a letter`]),
    ...untrue.map((text) => `${manner}: untrue: ${text}`),
    ...faults.flatMap(({ what, fault, told }) =>
      what === 'missed' || what === 'wide' ? [`${manner}: ${what}: ${fault}: ${told}`] : [],
    ),
  ]);
  return said.map((text) => `world ${seed} (${chosen(readings)}) ${text}`);
}

function chosen(readings: Readings): string {
  const own: Readonly<Record<string, unknown>> = OWN_READINGS;
  return Object.entries(readings)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(own[name]))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ');
}
