import { bashCompletion } from './bash-completion.ts';
import type { CommandWords } from './completion-words.ts';

/** zsh runs completions of bash by a module of its own. */
export function zshCompletion(commands: readonly CommandWords[]): string {
  return `# weighbridge completion for zsh
autoload -U +X compinit && (( $+functions[compdef] )) || compinit
autoload -U +X bashcompinit && bashcompinit
${bashCompletion(commands)}`;
}
