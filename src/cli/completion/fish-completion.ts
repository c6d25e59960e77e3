import type { CommandWords, FlagWords } from './completion-words.ts';

/** The script for fish, one line for each word. */
export function fishCompletion(commands: readonly CommandWords[]): string {
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
