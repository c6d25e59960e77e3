import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { parseAmount } from '../../src/core/amount.ts';
import { OWN_READINGS } from '../../src/gateway/readings/readings.ts';
import { decidableIn, worldOf } from './decidable.ts';

const value = z.union([z.string(), z.number(), z.boolean()]);

const corpus = z.array(
  z.strictObject({
    fault: z.string(),
    /** For people; which rows it is follows from `parameters`. */
    variant: z.string().optional(),
    parameters: z.record(z.string(), z.union([value, z.array(value)])).optional(),
    class: z.string().nullable(),
    direction: z.string(),
    /** Left out of a wrong bill: decidable.json has it. */
    decidable: z.enum(['proved', 'bounded', 'no']).optional(),
    /** What keeps it from being proved. */
    why: z.string().optional(),
  }),
);
type FaultRow = z.infer<typeof corpus>[number];
export type FaultGrade = FaultRow & { readonly decidable: 'proved' | 'bounded' | 'no' };

const GRADES = corpus.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '../corpus/faults.json'), 'utf8')),
);

/** A line of the journal about a fault. */
export interface FiredFault {
  readonly fault: string;
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  /** USD; tells the lines of a fault apart that has one for each of two calls. */
  readonly delta?: string;
}

const OWN_RUN = worldOf(OWN_READINGS, 'run');

/**
 * What an audit in a world should find of a fired fault: the row whose parameters are all its own and whose direction is that of
 * its delta, else the first with such parameters. Throws without one.
 */
export function gradeOf(fired: FiredFault, world = OWN_RUN): FaultGrade {
  const rows = GRADES.filter(
    ({ fault, parameters = {} }) =>
      fault === fired.fault &&
      Object.entries(parameters).every(([name, wanted]) =>
        [wanted].flat().some((one) => one === fired.parameters[name]),
      ),
  );
  const grade = rows.find(({ direction }) => direction === directionOf(fired.delta ?? '0')) ?? rows[0];
  if (grade === undefined) throw new Error(`no row of the corpus for ${JSON.stringify(fired)}`);
  const { decidable } = grade;
  if (decidable !== undefined) return { ...grade, decidable };
  const { verdict, because, as = grade.class } = decidableIn(nameOf(grade), world);
  return { ...grade, class: as, decidable: verdict, why: because };
}

function directionOf(delta: string): string {
  return delta.startsWith('-') ? 'under' : delta === '0' ? 'none' : 'over';
}

/** A fault and variant as the corpus knows them, for lists. */
export function corpusNames(prefix: string): readonly string[] {
  return corpusRows(prefix).map(nameOf);
}

export function corpusRows(prefix: string): readonly FaultRow[] {
  return GRADES.filter(({ fault }) => fault.startsWith(prefix));
}

/** The classes that a fault can be found as, over all its variants. */
export function classesOf(name: string): readonly string[] {
  return GRADES.flatMap((grade) => (grade.fault === name && grade.class !== null ? [grade.class] : []));
}

export function nameOf({ fault, variant }: Pick<FaultRow, 'fault' | 'variant'>): string {
  return variant === undefined ? fault : `${fault}, ${variant}`;
}

export interface JudgedFinding {
  readonly class: string;
  readonly request_id: string | null;
  readonly direction: string;
  readonly delta_exact: string | null;
  readonly delta_min: string | null;
  readonly delta_max: string | null;
}

/**
 * What the findings say otherwise than the faults that fired, one line each; empty where they are equal. Amounts are
 * compared where the direction of a fault is known: to the digit where it can be proved, else as inside the bounds.
 * What is found of a call that was hit by a fault which nobody can decide counts neither way; `besides` names what a
 * fault may show further, by its name.
 */
export function disagreements(
  fired: readonly (FiredFault & { readonly request_id: string; readonly delta: string })[],
  findings: readonly JudgedFinding[],
  besides: Readonly<Record<string, readonly string[]>> = {},
): readonly string[] {
  const wrong: string[] = [];
  const allowed = new Set<string>();
  const undecidable = new Set<string>();
  for (const line of fired) {
    const grade = gradeOf(line);
    if (grade.decidable === 'no') undecidable.add(line.request_id);
    for (const more of besides[nameOf(grade)] ?? []) allowed.add(`${more} ${line.request_id}`);
    if (grade.class === null || grade.decidable === 'no') continue;
    const label = `${nameOf(grade)}: ${grade.class} of ${line.request_id}`;
    allowed.add(`${grade.class} ${line.request_id}`);
    const found = findings.filter(
      (finding) => finding.class === grade.class && finding.request_id === line.request_id,
    );
    if (found.length === 0) wrong.push(`${label} is not found`);
    else if (!found.some((finding) => isSame(grade, line.delta, finding))) {
      wrong.push(`${label} ${grade.direction} by ${line.delta} is found as ${JSON.stringify(found)}`);
    }
  }
  for (const finding of findings) {
    const { class: name, request_id } = finding;
    if (undecidable.has(request_id ?? '') || allowed.has(`${name} ${request_id}`)) continue;
    wrong.push(`nobody planted ${JSON.stringify(finding)}`);
  }
  return wrong;
}

function isSame(grade: FaultGrade, delta: string, finding: JudgedFinding): boolean {
  if (finding.direction !== grade.direction) return false;
  if (grade.direction === 'none') return true;
  if (grade.decidable === 'proved') return finding.delta_exact === delta;
  const { delta_exact, delta_min, delta_max } = finding;
  const [least, is, most] = [delta_min ?? delta_exact, delta, delta_max ?? delta_exact].map((text) =>
    parseAmount(text ?? ''),
  );
  return least != null && is != null && most != null && least <= is && is <= most;
}
