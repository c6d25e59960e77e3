import type { FaultClass } from '../../contracts/fault-class.ts';
import type { Finding } from '../../contracts/finding.ts';
import type { WarrantKind } from '../../contracts/warrant.ts';

/** One question about a record, a call or a bill. A new judge is a file, and an entry in the list of its subject. */
export interface Judge<Subject> {
  readonly name: string;
  readonly question: string;
  /** The only classes that it gives. */
  readonly classes: readonly FaultClass[];
  /** What its accusations may rest on: a judge without a warrant is none. */
  readonly warrants: readonly [WarrantKind, ...WarrantKind[]];
  judge(subject: Subject): readonly Finding[];
}

/** Asks every judge, in the order of the list. Throws where one gives a class or a warrant that is not its own. */
export function askJudges<Subject>(judges: readonly Judge<Subject>[], subject: Subject): readonly Finding[] {
  return judges.flatMap(({ name, classes, warrants, judge }) => {
    const findings = judge(subject);
    for (const finding of findings) {
      if (!classes.includes(finding.class))
        throw new Error(`the judge of ${name} gives ${finding.class}, which is not its own`);
      if (!warrants.includes(finding.warrant.kind))
        throw new Error(
          `the judge of ${name} accuses by a ${finding.warrant.kind}, which is none of its warrants`,
        );
    }
    return findings;
  });
}
