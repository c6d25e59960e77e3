import { z } from 'zod';

interface Instruction {
  readonly keyword: string;
  /** What follows the keyword, on one line. */
  readonly text: string;
}

export interface Stage {
  readonly name: string;
  /** The image that it starts from, with its tag. */
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Dockerfile; the last one makes the image. Of its syntax only what ours uses is known. */
export function readDockerfile(text: string): readonly Stage[] {
  const lines = text
    .replaceAll(/^\s*#.*$/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => /^([A-Z]+) (.+)$/.exec(line) ?? ['', '', line]);
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  for (const [, keyword = '', text = ''] of lines) {
    const [, base, name = 'image'] = /^(\S+)(?: AS (\S+))?$/.exec(text) ?? [];
    if (keyword === 'FROM' && base !== undefined) stages.push({ name, base, instructions: [] });
    else stages.at(-1)?.instructions.push({ keyword, text });
  }
  return stages;
}

/** The words of ENTRYPOINT and CMD. A line for a shell is refused: no signal would reach what the shell starts. */
export function execForm(text: string): readonly string[] {
  return z.array(z.string()).parse(JSON.parse(text));
}
