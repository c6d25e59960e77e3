import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Writes a generated file, `name` from the root of the project, where it differs from `text`. With `--check` it writes
 * nothing: a difference from `source` is named, with the script that mends it, and the process ends with 1.
 */
export function writeGenerated(
  name: string,
  text: string,
  { source, script }: { readonly source: string; readonly script: string },
): void {
  const path = new URL(`../${name}`, import.meta.url);
  if (readOrEmpty(path) === text) return;
  if (process.argv.includes('--check')) {
    console.error(`${name} differs from ${source}: run node scripts/${script}`);
    process.exitCode = 1;
    return;
  }
  writeFileSync(path, text);
  console.error(`wrote ${name}`);
}

function readOrEmpty(path: URL): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
