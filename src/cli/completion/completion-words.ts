import type { Command, Option } from 'commander';

/** What may follow a flag: nothing, a file, a folder, a run of `--out`, one of a few words, or text that nobody can guess. */
export type FlagValue = 'none' | 'file' | 'folder' | 'run' | 'text' | readonly string[];

export interface FlagWords {
  /** `--out`, and its short form where it has one. */
  readonly names: readonly string[];
  readonly value: FlagValue;
  readonly says: string;
}

export interface CommandWords {
  readonly name: string;
  /** The command that it is a part of, as `reports` of `reports prune`; null for one of its own. */
  readonly within: string | null;
  readonly says: string;
  readonly flags: readonly FlagWords[];
  /** Its own commands and the closed list of its first argument; empty where there is neither. */
  readonly words: readonly string[];
}

/** Every word that a shell can offer, from the commands as they are: a flag that is added is offered without further ado. */
export function completionWords(program: Command): readonly CommandWords[] {
  return program.commands.flatMap((command) => [
    commandWords(command, null),
    ...command.commands.map((part) => commandWords(part, command.name())),
  ]);
}

function commandWords(command: Command, within: string | null): CommandWords {
  return {
    name: command.name(),
    within,
    says: firstClause(command.description()),
    flags: [
      ...command.options.filter(({ hidden }) => !hidden).map(flagWords),
      { names: ['--help', '-h'], value: 'none', says: 'display help for command' },
    ],
    words: [
      ...command.commands.map((part) => part.name()),
      ...(command.registeredArguments[0]?.argChoices ?? []),
    ],
  };
}

function flagWords(option: Option): FlagWords {
  const names = [option.long, option.short].filter((name) => name !== undefined);
  return { names, value: answerKind(option), says: firstClause(option.description) };
}

function answerKind({ flags, long, required, optional, argChoices }: Option): FlagValue {
  if (!required && !optional) return 'none';
  if (argChoices !== undefined) return argChoices;
  const placeholder = /[<[](.+?)(?:\.\.\.)?[>\]]$/.exec(flags)?.[1] ?? '';
  if (long === '--run' || placeholder === 'run') return 'run';
  if (placeholder === 'dir') return 'folder';
  if (long === '--month') return ['last'];
  return /\b(file|path)\b/.test(placeholder) ? 'file' : 'text';
}

/** Shells show it on the line of the word. */
function firstClause(text: string): string {
  return text.split(/[;:(]/)[0]?.trim() ?? '';
}
