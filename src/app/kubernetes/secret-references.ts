import { secretPlace } from '../../config/credential-reference.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { SECRET_FOLDER, type SecretUse } from '../../kubernetes/secret-use.ts';

/**
 * What a configuration takes from the Secret, by its references. Throws `file_of_this_machine` (exit 2) for a file that no pod
 * has.
 */
export function secretReferences(
  references: readonly (string | null)[],
): Pick<SecretUse, 'files' | 'variables'> {
  const places = references.flatMap((reference) =>
    reference === null ? [] : (secretPlace(reference) ?? []),
  );
  return {
    variables: unique(places.flatMap((place) => ('env' in place ? [place.env] : []))),
    files: unique(places.flatMap((place) => ('file' in place ? [secretFile(place.file)] : []))),
  };
}

/** The key of the Secret that a reference stands for; null for none. Throws as above. */
export function secretKey(reference: string | null): string | null {
  const { files, variables } = secretReferences([reference]);
  return variables[0] ?? files[0] ?? null;
}

function secretFile(path: string): string {
  const [, key] = new RegExp(`^${SECRET_FOLDER}/([\\w.-]+)$`).exec(path) ?? [];
  if (key !== undefined) return key;
  throw new WeighbridgeError({
    code: 'file_of_this_machine',
    message: `Pods get secrets as env:NAME or file:${SECRET_FOLDER}/NAME, but the configuration names ${path}.`,
    hint: `Write env:NAME, and put the value under NAME into the Secret.`,
  });
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
