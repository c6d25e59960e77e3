import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const value = z.union([z.string(), z.number(), z.boolean()]);

const corpus = z.array(
  z.strictObject({
    fault: z.string(),
    /** For people; which rows it is follows from `parameters`. */
    variant: z.string().optional(),
    parameters: z.record(z.string(), z.union([value, z.array(value)])).optional(),
    class: z.string().nullable(),
    direction: z.string(),
    decidable: z.string(),
  }),
);
export type FaultGrade = z.infer<typeof corpus>[number];

const GRADES = corpus.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '../corpus/faults.json'), 'utf8')),
);

/** What an audit should find of a fired fault: the first row whose parameters are all its own. Throws without one. */
export function gradeOf(fired: {
  readonly fault: string;
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
}): FaultGrade {
  const grade = GRADES.find(
    ({ fault, parameters = {} }) =>
      fault === fired.fault &&
      Object.entries(parameters).every(([name, wanted]) =>
        [wanted].flat().some((one) => one === fired.parameters[name]),
      ),
  );
  if (grade === undefined) throw new Error(`no row of the corpus for ${JSON.stringify(fired)}`);
  return grade;
}
