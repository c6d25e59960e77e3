import type { CommandWords, FlagValue, FlagWords } from './completion-words.ts';

/**
 * The script for bash, which zsh runs too. It asks nothing of Node, so that a tab costs nothing; the runs it offers are
 * the folders under `--out` that hold a plan or a result.
 */
export function bashCompletion(commands: readonly CommandWords[]): string {
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
export function zshCompletion(commands: readonly CommandWords[]): string {
  return `# weighbridge completion for zsh
autoload -U +X compinit && (( $+functions[compdef] )) || compinit
autoload -U +X bashcompinit && bashcompinit
${bashCompletion(commands)}`;
}
