type Inputs = Readonly<Record<string, string | undefined>>;

/** Thrown for an input of the action that is wrong; the message says what to do. */
export class ActionInputError extends Error {}

const INPUT_FLAGS = [
  ['INPUT_CONFIG', '--config'],
  ['INPUT_TARGET', '--target'],
  ['INPUT_MAX_SPEND_USD', '--max-spend-usd'],
  ['INPUT_DURATION', '--duration'],
] as const;

/** The words of the command that the inputs of action.yml ask for. No shell reads them. */
export function actionCommand(env: Inputs): readonly string[] {
  const command = env['INPUT_COMMAND'] ?? '';
  if (command !== 'audit' && command !== 'run')
    throw new ActionInputError(`command: expected audit or run, found ${JSON.stringify(command)}`);
  // “Re-run failed jobs” starts the same job again, and its calls would be paid again.
  if ((env['GITHUB_RUN_ATTEMPT'] ?? '1') !== '1')
    throw new ActionInputError(
      'this is a second attempt, which would call and pay again: start the workflow anew',
    );
  const given = INPUT_FLAGS.flatMap(([input, flag]) => {
    const value = env[input] ?? '';
    return value === '' ? [] : [flag, value];
  });
  const more = (env['INPUT_FLAGS'] ?? '').split('\n').map((line) => line.trim());
  const folders = ['--out', env['INPUT_OUT'] ?? 'reports', '--state', env['INPUT_STATE'] ?? 'state'];
  return [command, ...given, ...folders, ...more.filter((word) => word !== ''), '--json'];
}
