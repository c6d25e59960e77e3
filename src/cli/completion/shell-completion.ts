import { Argument, type Command, type Option } from 'commander';
import { EXIT } from '../../contracts/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * The script for bash, which zsh runs too. It asks nothing of Node, so that a tab costs nothing; the runs it offers are
 * the folders under `--out` that hold a plan or a result.
 */
function bashCompletion(commands: readonly CommandWords[]): string {
  const names = commands.filter(({ within }) => within === null).map(({ name }) => name);
  const parts = commands.filter(({ within }) => within !== null).map((part) => quotedPath(part));
  return `# weighbridge completion for bash
_weighbridge_runs() {
  local out=reports at dir
  for ((at = 1; at < COMP_CWORD; at++)); do
    if [[ \${COMP_WORDS[at]} == --out ]]; then out=\${COMP_WORDS[at + 1]}; fi
  done
  for dir in "$out"/*; do
    # compgen would run what stands in a name.
    if [[ \${dir##*/} == *[!A-Za-z0-9._-]* ]]; then continue; fi
    if [[ -e $dir/result.json || -e $dir/plan.json ]]; then printf '%s\\n' "\${dir##*/}"; fi
  done
}

_weighbridge() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} flags= offered= kind=words
  # bash parts --flag=value into three words.
  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W '${[...names, 'help', '--help', '--version'].join(' ')}' -- "$word"))
    return
  fi
  local path=\${COMP_WORDS[1]-} at
  for ((at = 2; at < COMP_CWORD; at++)); do
    case "$path \${COMP_WORDS[at]}" in
      ${parts.join('|')}) path="$path \${COMP_WORDS[at]}" ;;
    esac
  done
  case $path in
${commands.map(commandCase).join('\n')}
    help) offered='${names.join(' ')}' ;;
    *) return ;;
  esac
  if [[ $kind == words && -z $offered ]]; then offered=$flags; elif [[ $word == -* ]]; then kind=words offered=$flags; fi
  local IFS=$'\\n'
  case $kind in
    text) ;;
    file) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word")) ;;
    folder) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$word")) ;;
    run) COMPREPLY=($(compgen -W "$(_weighbridge_runs)" -- "$word")) ;;
    words) IFS=$' \\n'; COMPREPLY=($(compgen -W "$offered" -- "$word")) ;;
  esac
}

complete -F _weighbridge weighbridge
`;
}

function quotedPath({ name, within }: CommandWords): string {
  return within === null ? name : `'${within} ${name}'`;
}

function commandCase(command: CommandWords): string {
  const { flags, words } = command;
  const byAnswer = Map.groupBy(
    flags.filter(({ value }) => value !== 'none'),
    ({ value }) => answerTo(value),
  );
  const cases = [...byAnswer].map(
    ([answer, same]) => `        ${same.flatMap(({ names }) => names).join('|')}) ${answer} ;;`,
  );
  return [
    `    ${quotedPath(command)})`,
    `      flags='${flags.flatMap(({ names }: FlagWords) => names).join(' ')}'`,
    ...(words.length === 0 ? [] : [`      offered='${words.join(' ')}'`]),
    ...(cases.length === 0 ? [] : ['      case $before in', ...cases, '      esac']),
    '      ;;',
  ].join('\n');
}

function answerTo(value: FlagValue): string {
  return typeof value === 'string' ? `kind=${value}` : `offered='${value.join(' ')}'`;
}

/** zsh runs completions of bash by a module of its own. */
function zshCompletion(commands: readonly CommandWords[]): string {
  return `# weighbridge completion for zsh
autoload -U +X compinit && (( $+functions[compdef] )) || compinit
autoload -U +X bashcompinit && bashcompinit
${bashCompletion(commands)}`;
}

/** The script for fish, one line for each word. */
function fishCompletion(commands: readonly CommandWords[]): string {
  return [
    '# weighbridge completion for fish',
    'function __weighbridge_runs',
    '    set -l words (commandline -opc)',
    '    set -l out reports',
    '    if set -l at (contains -i -- --out $words)',
    '        set out $words[(math $at + 1)]',
    '    end',
    '    for dir in $out/*',
    '        if test -e $dir/result.json -o -e $dir/plan.json',
    '            basename $dir',
    '        end',
    '    end',
    'end',
    'complete -c weighbridge -f',
    'complete -c weighbridge -n __fish_use_subcommand -l version -l help',
    ...commands.flatMap((command) => {
      const parts = commands.filter(({ within }) => within === command.name).map(({ name }) => name);
      const given = `complete -c weighbridge -n ${behind(command, parts)}`;
      return [
        ...(command.within === null
          ? [`complete -c weighbridge -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.says)}`]
          : []),
        ...(command.words.length === 0 ? [] : [`${given} -a ${quoted(command.words.join(' '))}`]),
        ...command.flags.map((flag) => `${given} ${flagText(flag)}`),
      ];
    }),
    '',
  ].join('\n');
}

/** Behind the command, and behind none of its parts. */
function behind({ name, within }: CommandWords, parts: readonly string[]): string {
  const seen = [...(within === null ? [] : [within]), name].map(
    (word) => `__fish_seen_subcommand_from ${word}`,
  );
  const none = parts.map((part) => `not __fish_seen_subcommand_from ${part}`);
  return quoted([...seen, ...none].join('; and '));
}

function flagText({ names, value, says }: FlagWords): string {
  const named = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return [...named, valueText(value), `-d ${quoted(says)}`].filter((part) => part !== '').join(' ');
}

function valueText(value: FlagWords['value']): string {
  if (typeof value !== 'string') return `-x -a ${quoted(value.join(' '))}`;
  if (value === 'none') return '';
  if (value === 'run') return "-x -a '(__weighbridge_runs)'";
  if (value === 'folder') return "-x -a '(__fish_complete_directories)'";
  return value === 'file' ? '-r -F' : '-x';
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

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
    .description('Print the completion script for your shell.')
    .addArgument(new Argument('<shell>', 'name of the shell').choices([...SHELLS.keys()]))
    .action((shell: string) => {
      // Every command is there by now, those that are registered after this one too.
      terminal.out((SHELLS.get(shell)?.(completionWords(program)) ?? '').trimEnd());
      finish(EXIT.ok);
    });
}

/** What may follow a flag: nothing, a file, a folder, a run of `--out`, one of a few words, or text that nobody can guess. */
type FlagValue = 'none' | 'file' | 'folder' | 'run' | 'text' | readonly string[];

interface FlagWords {
  /** `--out`, and its short form where it has one. */
  readonly names: readonly string[];
  readonly value: FlagValue;
  readonly says: string;
}

interface CommandWords {
  readonly name: string;
  /** The command that it is a part of, as `history` of `history prune`; null for one of its own. */
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
