/** Writes every generated file of the project; `--check` writes nothing and exits 1 where one differs. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const check = process.argv.includes('--check');
const generators = readdirSync(import.meta.dirname)
  .filter((name) => /^generate-.+\.ts$/.test(name))
  .sort();
let failed = 0;
for (const name of generators) {
  const done = spawnSync(process.execPath, [join(import.meta.dirname, name), ...(check ? ['--check'] : [])], {
    stdio: 'inherit',
  });
  console.log(`${done.status === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  if (done.status !== 0) failed += 1;
}
if (failed > 0 && check) console.log('run `npm run generate` and commit what it writes');
process.exitCode = failed === 0 ? 0 : 1;
