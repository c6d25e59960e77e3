/**
 * Writes the golden corpus of planned calls, which xk6/traffic must plan alike.
 * `node scripts/generate-planned-calls.ts` writes; with `--check` it changes nothing and exits 1 on a difference.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { plannedCases } from '../test/support/planned-cases.ts';

const name = 'test/corpus/planned-calls.json';
const path = new URL(`../${name}`, import.meta.url);

const cases = plannedCases().map(({ calls, ...shape }) => {
  const lines = calls.map((call) => `  ${JSON.stringify(call)}`);
  return `${JSON.stringify(shape).slice(0, -1)},"calls":[\n${lines.join(',\n')}\n]}`;
});
const text = `[\n${cases.join(',\n')}\n]\n`;

function readOrEmpty(): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

if (readOrEmpty() !== text) {
  if (process.argv.includes('--check')) {
    console.error(`${name} differs from src/core/call-plan.ts: run node scripts/generate-planned-calls.ts`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, text);
    console.error(`wrote ${name}`);
  }
}
