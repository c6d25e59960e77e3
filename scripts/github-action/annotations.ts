import { EXIT } from '../../src/contracts/exit-code.ts';
import type { Result } from '../../src/contracts/result.ts';
import { findingWords, headline } from '../../src/report/words/verdict-words.ts';

/** What a job shows beside its log: one for each reason of the exit status and each class of findings at the gate, else the verdict. */
export function annotations(result: Result): readonly string[] {
  const reasons = result.exit_codes.map(({ code, why }) =>
    annotation(code === EXIT.inconclusive ? 'warning' : 'error', `Weighbridge: exit ${code}`, why),
  );
  const found = result.findings
    .filter(({ gates }) => gates)
    .map((group) => annotation('error', `Weighbridge: ${group.class}`, findingWords(group)));
  const all = [...reasons, ...found];
  return all.length > 0 ? all : [annotation('notice', 'Weighbridge', headline(result).text)];
}

/** A command that the runner reads from a line: what a target said must not end the line and begin another command. */
export function annotation(level: 'notice' | 'warning' | 'error', title: string, text: string): string {
  const name = escaped(title).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${level} title=${name}::${escaped(text)}`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
