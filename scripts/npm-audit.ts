/**
 * Asks the registry for known vulnerabilities of what is installed with the package. Ends with 1 where one is high or critical.
 * Where the registry offers no such answer, as mirrors often do not, it prints "not run", and why.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { readAudit } from './npm-audit/read-audit.ts';

const root = resolve(import.meta.dirname, '..');
const { stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  cwd: root,
  encoding: 'utf8',
});
const { lines, failed } = readAudit(stdout, stderr);
for (const line of lines) console.log(line);
process.exitCode = failed ? 1 : 0;
