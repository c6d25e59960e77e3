import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');

/** Called by libraries, which know them by their names. */
const CALLED_FROM_OUTSIDE = /^(on(Request|Response)[A-Z]\w*|toJSON)$/;

const MEMBER =
  /^ {2}(?:(?:static|async|override|readonly|get|set|public|protected|private) |\*)*([A-Za-z_]\w*)(?:<[^>]*>)?(?:[(?:;]| =)/gm;
const CLASS = /^(?:export )?(?:abstract )?class (\w+)[\s\S]*?^\}/gm;
/** `.name`, and names between braces that are taken apart or passed on. */
const READ = /(?<=\.)[A-Za-z_]\w*/g;
const TAKEN_APART = /\{([^{};()]*)\}(?= = | of |\)|:|,)/g;

/** Code without its comments, of all that runs outside tests. */
function shippedCode(): Map<string, string> {
  const files = globSync('{src,bin,scenarios,bench,scripts}/**/*.{ts,mjs}', { cwd: ROOT }).filter(
    (file) => !/\.(test|test-support)\.ts$/.test(file),
  );
  return new Map(
    files.map((file) => [
      file,
      readFileSync(join(ROOT, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''),
    ]),
  );
}

test('no member of a class is there for tests alone', () => {
  const code = shippedCode();
  const read = new Set(
    [...code.values()].flatMap((text) => [
      ...(text.match(READ) ?? []),
      ...[...text.matchAll(TAKEN_APART)].flatMap(([, names]) => names?.match(/\w+/g) ?? []),
    ]),
  );
  const unused = [...code].flatMap(([file, text]) =>
    [...text.matchAll(CLASS)].flatMap(([body, name]) =>
      [...body.matchAll(MEMBER)]
        .map((match) => match[1] ?? '')
        .filter(
          (member) => member !== 'constructor' && !read.has(member) && !CALLED_FROM_OUTSIDE.test(member),
        )
        .map((member) => `${file}: ${name}.${member}`),
    ),
  );
  expect(unused).toEqual([]);
});
