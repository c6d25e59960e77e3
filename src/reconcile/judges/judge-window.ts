import type { Finding } from '../../contracts/finding.ts';
import type { ReadOddityKind } from '../../contracts/usage-lines.ts';
import type { JudgedSweep } from '../input/judged-sweep.ts';
import { makeFinding } from './make-finding.ts';
import { evidenceOfRead, oddReads } from './read-evidence.ts';

const RULES: readonly (readonly [ReadOddityKind, string])[] = [
  ['outside_window', 'A read returned a record that its window excludes'],
  ['edge_record_lost', 'The window that starts with the second of a record left it out'],
  ['seam_differs', 'Two windows that meet do not serve what a read across their seam serves'],
];

/** Windows include their first second and exclude their last one (interface §4); reads at exact seconds show it. */
export function judgeWindow({ reads }: JudgedSweep): readonly Finding[] {
  return RULES.flatMap(([rule, words]) => {
    const odd = oddReads(reads, rule);
    if (odd === null) return [];
    return [
      makeFinding({
        class: 'window_semantics',
        rule,
        confidence: 'proved',
        delta: null,
        evidence: [
          ...evidenceOfRead(odd.reads),
          ...odd.reads
            .slice(0, 5)
            .flatMap(({ window }) => (window === null ? [] : [`window:${window.start}-${window.end}`])),
        ],
        explanation: `${words}: ${odd.text}.`,
        next_step:
          'Ask the operator which seconds a window holds; sums of periods that meet count such records twice or never.',
      }),
    ];
  });
}
