/**
 * `npm run bench:audit`: the power of the auditor. Embedded gateways with planted faults under several readings, calls,
 * audits, and their findings held against the gateways' journals. Judged, never asserted: it exits 0 whatever it says.
 */
import { machineLine } from '../common/pinning.ts';
import { printTable } from '../common/print-table.ts';
import { abroadLines, abroadTable } from './abroad/abroad-tables.ts';
import { runAbroad } from './abroad/run-abroad.ts';
import { readOptions, USAGE } from './bench-options.ts';
import { classTable, honestTable, marksOf, readingTable } from './power-tables.ts';
import { runWorlds } from './run-worlds.ts';

const SHOWN = 60;

const options = (() => {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exit(2);
  }
})();

let isStopped = false;
process.once('SIGINT', () => {
  isStopped = true;
  console.error('stopping: what runs is ended, then the tables come');
});
const started = performance.now();
const power = await runWorlds(
  options,
  (line) => console.error(line),
  () => isStopped,
);
const abroad = await runAbroad(
  { count: options.abroad, seed: options.abroad_seed, lanes: options.lanes },
  (line) => console.error(line),
  () => isStopped,
);
const wrong = [
  ...power.graded.filter(({ what }) => what === 'missed' || what === 'false'),
  ...power.honest.flatMap(({ findings }) => findings),
];
const marks = marksOf(power);
const seconds = (performance.now() - started) / 1000;
if (options.json) {
  const { ours, shadows } = abroadTable(abroad);
  const tables = { classes: classTable(power), readings: readingTable(power), honest: honestTable(power) };
  console.log(
    JSON.stringify({ options, seconds, marks, abroad: { ours, shadows }, ...tables, wrong }, null, 2),
  );
} else {
  console.log(machineLine());
  for (const table of [classTable(power), readingTable(power), honestTable(power)]) {
    printTable(table);
    console.log('');
  }
  for (const { world, mix, seed, what, class: name, fault, request_id, told } of wrong.slice(0, SHOWN))
    console.log(
      `${what}: ${name}, ${world} ${mix} ${seed}, ${fault ?? 'nothing planted'}, ${request_id}: ${told}`,
    );
  if (wrong.length > SHOWN) console.log(`and ${wrong.length - SHOWN} more: --json has them all`);
  for (const { text, met, is } of marks) console.log(`${met ? 'met' : 'missed'}: ${text} (${is})`);
  console.log('');
  for (const line of abroadLines(abroad)) console.log(line);
  console.log(`${seconds.toFixed(0)} s`);
}
process.exit(0);
