/** A command of the README's first screen, and what of it is put in for a gateway that is there. */
export interface FirstCommand {
  readonly shown: string;
  readonly run: string;
}

/** What stands for a reader's own gateway in the README. */
const SHOWN_TARGET = 'https://gateway.example';

/**
 * The commands that the README shows before its first heading below the title, in their order. Those for a gateway of one's own
 * are given the address and key file of one, and `--state` is theirs.
 */
export function firstCommands(
  readme: string,
  own: { readonly target: string; readonly keyFile: string },
): readonly FirstCommand[] {
  const [, screen = ''] = /^# [^\n]+\n([\s\S]*?)^## /m.exec(readme) ?? [];
  return [...screen.matchAll(/^ {4}((?:\w+=\S+ )*(?:npm|npx|weighbridge) .+?)(?: {2,}# .*)?$/gm)].map(
    ([, shown = '']) => ({
      shown,
      run: shown.replaceAll(SHOWN_TARGET, own.target).replaceAll('_FILE=key.txt', `_FILE=${own.keyFile}`),
    }),
  );
}
