/**
 * Writes dashboards/ (Grafana JSON, rules, their tests) and docs/runbooks.md from src/dashboards.
 * `node scripts/generate-dashboards.ts` writes; with `--check` it changes nothing and exits 1 on a difference.
 */
import { mkdirSync, readdirSync } from 'node:fs';
import { BOARDS } from '../src/dashboards/boards/boards.ts';
import { buildBoard } from '../src/dashboards/boards/build-board.ts';
import { renderRuleTests } from '../src/dashboards/cases/render-rule-tests.ts';
import { renderRunbooks } from '../src/dashboards/rules/render-runbooks.ts';
import { renderRules } from '../src/dashboards/rules/rule-groups.ts';
import { writeGenerated } from './write-generated.ts';

const FROM = { source: 'src/dashboards', script: 'generate-dashboards.ts' };
const WHOLE = { timeScale: 1 };

const boards = BOARDS.map(
  (spec) => [`${spec.uid}.json`, `${JSON.stringify(buildBoard(spec, WHOLE), null, 2)}\n`] as const,
);

writeFolder('dashboards/grafana', boards);
writeFolder('dashboards/rules/tests', [...renderRuleTests()]);
writeGenerated('dashboards/rules/weighbridge.rules.yml', renderRules(WHOLE), FROM);
writeGenerated('docs/runbooks.md', renderRunbooks(), FROM);

/** A file that nothing makes any more is a difference, too: it would be provisioned for ever. */
function writeFolder(folder: string, files: readonly (readonly [string, string])[]): void {
  const path = new URL(`../${folder}/`, import.meta.url);
  mkdirSync(path, { recursive: true });
  for (const [name, text] of files) writeGenerated(`${folder}/${name}`, text, FROM);
  const made = new Set(files.map(([name]) => name));
  for (const name of readdirSync(path).filter((found) => !made.has(found))) {
    console.error(`${folder}/${name} is made from nothing in src/dashboards: delete it`);
    process.exitCode = 1;
  }
}
