/**
 * `npm run bench:peers`: other tools and ours under one load against one embedded gateway, whose journal knows the times.
 * Writes bench/peers/results.json and the tables of docs/peers.md; it judges nothing.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { busySeconds } from '../common/busy-cpu.ts';
import { machineLine } from '../common/pinning.ts';
import { buildRig, ROOT } from '../engine/build-tools.ts';
import { usedBy } from '../engine/watched-run.ts';
import { LATENCY, MockedGateway } from './mocked-gateway.ts';
import type { NamedPeer, PeerLoad } from './peer.ts';
import {
  errorsOf,
  type MissingPeer,
  middleOf,
  type PeerFigures,
  type PeerResults,
  peerResultsSchema,
  roundedOf,
  truthOf,
} from './peer-figures.ts';
import { pageWith } from './peers-table.ts';
import { aiperf } from './tools/aiperf.ts';
import { guidellm } from './tools/guidellm.ts';
import { k6Http } from './tools/k6-http.ts';
import { locust } from './tools/locust.ts';
import { vegeta } from './tools/vegeta.ts';
import { weighbridge, weighbridgeEngine } from './tools/weighbridge.ts';

const PEERS = [weighbridge, weighbridgeEngine, vegeta, k6Http, locust, aiperf, guidellm];
const PAGE = join(ROOT, 'docs/peers.md');
const RESULTS = join(ROOT, 'bench/peers/results.json');
const LIMIT_S = 300;

async function main(only: string | undefined, rounds: number): Promise<void> {
  const load = { model: 'aspen-mini', per_s: 20, seconds: 20, max_tokens: 50 };
  const started = new Date().toISOString();
  const machine = machineLine();
  const base = mkdtempSync(join(tmpdir(), 'wb-peers-'));
  const rig = buildRig();
  const gateway = await MockedGateway.start(base);
  const chosen = PEERS.filter(({ name }) => only === undefined || only.split(',').includes(name));
  const found = new Map<string, (PeerFigures | MissingPeer)[]>(chosen.map(({ name }) => [name, []]));
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const peer of chosen) {
        const folder = join(base, `${round}-${peer.name.replaceAll(/\W+/g, '-')}`);
        mkdirSync(folder);
        const its = { ...load, root: gateway.root, key: gateway.key };
        const figures = await measured(peer, its, gateway, { rig, folder });
        console.log(JSON.stringify(figures));
        found.get(peer.name)?.push(figures);
      }
    }
  } finally {
    await gateway.stop();
    rmSync(base, { recursive: true, force: true });
  }
  const { model: _, ...told } = load;
  const peers = [...found.values()].map(middleOf);
  const results: PeerResults = { started, rounds, machine, load: told, latency: LATENCY, peers };
  if (only !== undefined) return;
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  writePage(results);
  console.log(`${RESULTS}\n${PAGE}`);
}

function writePage(results: PeerResults): void {
  writeFileSync(PAGE, pageWith(readFileSync(PAGE, 'utf8'), results));
}

/** A tool that cannot be had, or fails, is told with its reason. */
async function measured(
  { name, install }: NamedPeer,
  load: PeerLoad,
  gateway: MockedGateway,
  { rig, folder }: { readonly rig: string; readonly folder: string },
): Promise<PeerFigures | MissingPeer> {
  try {
    const peer = install();
    gateway.calls();
    const command = peer.command(load, folder);
    const before = cpuBeside(gateway);
    const { used, log } = await usedBy(rig, { limit_s: LIMIT_S, ...command, folder });
    const after = cpuBeside(gateway);
    if (used.timed_out) throw new Error(`it did not end within ${LIMIT_S} s`);
    const calls = gateway.calls();
    const told = await peer.read(folder, log);
    const truth = truthOf(calls);
    return {
      name,
      version: peer.version,
      command: shown(command.command, load, folder),
      calls: calls.length,
      completed: told.completed,
      cpu_s_per_1000: Math.round(((used.user_s + used.system_s) / calls.length) * 1e5) / 100,
      peak_mb: Math.round(used.peak_pss_bytes / 1e6),
      other_cpu_s:
        before === null || after === null
          ? null
          : Math.round((after - before - used.user_s - used.system_s) * 10) / 10,
      ...errorsOf(told, truth),
      true_ttft_ms: roundedOf(truth.ttft),
      true_e2e_ms: roundedOf(truth.e2e),
    };
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    return { name, missing: said.replaceAll(load.key, '$KEY').replaceAll(ROOT, '').slice(0, 300) };
  }
}

/** CPU seconds of the whole machine but for gateway and bench; null where the system does not tell. */
function cpuBeside(gateway: MockedGateway): number | null {
  const [busy, { user, system }] = [busySeconds(), process.cpuUsage()];
  return busy === null ? null : busy - gateway.cpuSeconds() - (user + system) / 1e6;
}

/** Without what differs from machine to machine, and without the key. */
function shown(command: readonly string[], { root, key }: PeerLoad, folder: string): string {
  const [program = '', ...args] = command;
  const text = [program.replace(/^.*\//, ''), ...args].join(' ');
  return text
    .replaceAll(key, '$KEY')
    .replaceAll(root, '$URL')
    .replaceAll(folder, '$OUT')
    .replaceAll(ROOT, '');
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    render: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error(`--rounds: expected a whole number above 0, found ${values.rounds}`);
if (values.render) writePage(peerResultsSchema.parse(JSON.parse(readFileSync(RESULTS, 'utf8'))));
else await main(values.only, rounds);
