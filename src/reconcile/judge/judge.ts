import type { FaultClass } from '../../contracts/fault-class.ts';
import type { Finding } from '../../contracts/finding.ts';

/** One question about a record, a call or a bill. A new judge is a file, and an entry in the list of its subject. */
export interface Judge<Subject> {
  readonly name: string;
  readonly question: string;
  /** The only classes that it gives. */
  readonly classes: readonly FaultClass[];
  judge(subject: Subject): readonly Finding[];
}

/** Asks every judge, in the order of the list. Throws where one gives a class that is not its own. */
export function askJudges<Subject>(judges: readonly Judge<Subject>[], subject: Subject): readonly Finding[] {
  return judges.flatMap(({ name, classes, judge }) => {
    const findings = judge(subject);
    const stray = findings.find((finding) => !classes.includes(finding.class));
    if (stray !== undefined)
      throw new Error(`the judge of ${name} gives ${stray.class}, which is not its own`);
    return findings;
  });
}
