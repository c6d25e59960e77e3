/**
 * Writes the golden corpus of planned calls, which xk6/traffic must plan alike.
 * `node scripts/generate-planned-calls.ts` writes; with `--check` it changes nothing and exits 1 on a difference.
 */
import { plannedCases } from '../test/support/planned-cases.ts';
import { writeGenerated } from './write-generated.ts';

const name = 'test/corpus/planned-calls.json';

const cases = plannedCases().map(({ calls, ...shape }) => {
  const lines = calls.map((call) => `  ${JSON.stringify(call)}`);
  return `${JSON.stringify(shape).slice(0, -1)},"calls":[\n${lines.join(',\n')}\n]}`;
});
const text = `[\n${cases.join(',\n')}\n]\n`;

writeGenerated(name, text, { source: 'src/workload/call-plan.ts', script: 'generate-planned-calls.ts' });
