import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { systemCodeOf } from '../../state/system-code.ts';

/** A file that could be opened and cannot be written any more, as on a full disk. */
export function fileUnwritable(
  code: 'journal_unwritable' | 'data_unwritable',
  path: string,
  cause: unknown,
): WeighbridgeError {
  return new WeighbridgeError({
    code,
    message: `expected to write to ${path}, found ${systemCodeOf(cause) ?? 'an error'}`,
    hint: 'make room or mend the permissions, and start again; nothing that was settled is lost',
    exitCode: EXIT.internal,
    cause,
  });
}
