import { Argument, type Command } from 'commander';
import { EXIT } from '../../contracts/exit-code.ts';
import { bashCompletion, zshCompletion } from '../completion/bash-completion.ts';
import { type CommandWords, completionWords } from '../completion/completion-words.ts';
import { fishCompletion } from '../completion/fish-completion.ts';
import type { Terminal } from '../terminal/terminal.ts';

const SHELLS = new Map<string, (commands: readonly CommandWords[]) => string>([
  ['bash', bashCompletion],
  ['zsh', zshCompletion],
  ['fish', fishCompletion],
]);

/** `weighbridge completion`. */
export function completionCommand(
  program: Command,
  terminal: Terminal,
  finish: (code: number) => void,
): void {
  program
    .command('completion')
    .description('print the script that completes commands, flags, their values and run ids in a shell')
    .addArgument(new Argument('<shell>', 'whose script').choices([...SHELLS.keys()]))
    .action((shell: string) => {
      // Every command is there by now, those that are registered after this one too.
      terminal.out((SHELLS.get(shell)?.(completionWords(program)) ?? '').trimEnd());
      finish(EXIT.ok);
    });
}
