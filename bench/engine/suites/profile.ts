import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from '../build-tools.ts';
import { ourStreams } from '../clients/our-k6.ts';
import type { Context } from './context.ts';
import { ourPlain, WORKERS } from './plain.ts';
import { levelLoad } from './streams.ts';

const ADDRESS = '127.0.0.1:16565';
const CPU_S = 5;
const LEVEL = 1000;
const ARGS = ['--profiling-enabled', '--address', ADDRESS];

/** CPU and heap profiles of our k6 in each mode, at 1,000 streams and with plain calls; the files stay in bench/engine/results. */
export async function profileSuite(context: Context): Promise<void> {
  const folder = join(ROOT, 'bench/engine/results');
  mkdirSync(folder, { recursive: true });
  for (const through of ['scenario', 'client'] as const) {
    for (const mode of ['pool', '1/VU'] as const) {
      const streams = ourStreams(context.tools.k6, mode, through, ARGS);
      // Longer than the profile takes: a profile of a process that ends is lost.
      const load = { ...levelLoad(LEVEL), each: 8 };
      await profiled(context, folder, `streams ${streams.name}`, (own) =>
        streams.run(context.bench, load, own),
      );
      await profiled(context, folder, `plain ${streams.name}`, (own) =>
        ourPlain(context, own, CPU_S + 3, through, mode === 'pool' ? WORKERS : 1, ARGS),
      );
    }
  }
}

async function profiled(
  context: Context,
  folder: string,
  name: string,
  run: (folder: string) => Promise<unknown>,
): Promise<void> {
  if (!context.includes({ name })) return;
  context.progress(`profile of ${name}`);
  const running = context.inFolder(run);
  const fetched = fetchProfiles(folder, name.replaceAll(/\W+/g, '-'));
  try {
    await running;
  } catch (cause) {
    console.log(`\n${name}: ${cause instanceof Error ? cause.message : String(cause)}`);
    return;
  }
  for (const file of await fetched) printTop(name, file);
}

function printTop(name: string, file: string): void {
  const index = file.includes('heap') ? ['-sample_index=inuse_space'] : [];
  console.log(`\n${name}: ${file}`);
  for (const order of [['-nodecount=25'], ['-cum', '-nodecount=40']]) {
    const top = spawnSync('go', ['tool', 'pprof', '-top', ...order, ...index, file], { encoding: 'utf8' });
    console.log(top.stdout);
  }
}

async function fetchProfiles(folder: string, name: string): Promise<string[]> {
  const files: string[] = [];
  for (const [kind, query] of [
    ['cpu', `profile?seconds=${CPU_S}`],
    ['heap', 'heap'],
  ] as const) {
    const body = await tried(`http://${ADDRESS}/debug/pprof/${query}`);
    if (body === null) continue;
    const file = join(folder, `${name}-${kind}.pprof`);
    writeFileSync(file, body);
    files.push(file);
  }
  return files;
}

/** The address answers some time after k6 started. */
async function tried(url: string): Promise<Buffer | null> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    try {
      const response = await fetch(url);
      if (response.ok) return Buffer.from(await response.arrayBuffer());
    } catch {
      // not yet listening, or gone
    }
    await delay(50);
  }
  return null;
}
