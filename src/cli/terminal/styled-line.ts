import type { Tone } from '../../app/live/kind-columns.ts';

/** Text of one tone; a column of a terminal for each character. */
export interface Span {
  readonly text: string;
  readonly tone: Tone;
}

export type StyledLine = readonly Span[];

const SGR: Readonly<Record<Tone, string>> = {
  plain: '',
  strong: '1',
  muted: '2',
  good: '32',
  warning: '33',
  bad: '31',
};

export function span(text: string, tone: Tone = 'plain'): Span {
  return { text, tone };
}

function widthOf(line: StyledLine): number {
  return line.reduce((width, { text }) => width + text.length, 0);
}

/** The line in so many columns, the last of them an ellipsis where it is cut. */
export function fitted(line: StyledLine, columns: number): StyledLine {
  if (widthOf(line) <= columns) return line;
  let left = Math.max(0, columns - 1);
  const kept = line.map(({ text, tone }) => {
    const part = text.slice(0, left);
    left -= part.length;
    return { text: part, tone };
  });
  return columns <= 0 ? [] : [...kept.filter(({ text }) => text !== ''), span('…', 'muted')];
}

/** With escape sequences where colours are wanted; each span ends what it began. */
export function painted(line: StyledLine, colour: boolean): string {
  return line
    .map(({ text, tone }) => (colour && tone !== 'plain' ? `\u001b[${SGR[tone]}m${text}\u001b[0m` : text))
    .join('');
}
