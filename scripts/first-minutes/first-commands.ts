/** A command of the README's first steps, and how it is run on a gateway that is there. */
export interface FirstCommand {
  readonly shown: string;
  readonly run: string;
}

/** What stands for a reader's own gateway in the README. */
const SHOWN_TARGET = 'https://gateway.example';

/**
 * Finds the commands of the README's first two chapters, in their order. `target` takes the place of the reader's own gateway. The
 * key file that a line exports is left to the caller's environment.
 */
export function firstCommands(readme: string, target: string): readonly FirstCommand[] {
  const steps = readme.split(/^## /m).slice(1, 3).join('');
  return [...steps.matchAll(/^ {4}((?:\w+=\S+ )*(?:npm|npx|weighbridge) .+?)(?: {2,}# .*)?$/gm)].map(
    ([, shown = '']) => ({
      shown,
      run: shown.replaceAll(SHOWN_TARGET, target),
    }),
  );
}
