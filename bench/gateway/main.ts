/**
 * `npm run bench:gateway`: the embedded gateway beside a bare node:http server that sends the same bytes and beside
 * @copilotkit/aimock, in one run. `--quick` for development: shorter, so its figures say less. Judged, never asserted.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GATEWAY_NODE_FLAGS } from '../../src/app/gateway/embedded-gateway.ts';
import { machineLine } from '../common/pinning.ts';
import { EVENT_MS, record, TEXTS } from './recording.ts';
import { recordsRound } from './records-round.ts';
import {
  type JsonRound,
  jsonRound,
  type Rounds,
  type ServerName,
  type StreamRound,
  streamRound,
} from './rounds.ts';
import { ServedProcess } from './served-process.ts';
import { printJson, printStreams, printTargets } from './tables.ts';
import { judge } from './targets.ts';

const ORDER: readonly ServerName[] = ['bare', 'gateway', 'aimock', 'gateway', 'bare'];

const AT_ONCE = 'ttft: { fixed: { ms: 0 } }\nitl: { fixed: { ms: 0 } }\n';
const PACED = `ttft: { fixed: { ms: ${EVENT_MS} } }\nitl: { fixed: { ms: ${EVENT_MS} } }\n`;

const quick = process.argv.includes('--quick');
const SIZES = quick
  ? { json_ms: 1000, streams: { count: 500, over_ms: 1250, stream_ms: EVENT_MS * TEXTS }, records: 100_000 }
  : {
      json_ms: 4000,
      streams: { count: 2000, over_ms: 5000, stream_ms: EVENT_MS * TEXTS },
      records: 1_000_000,
    };
const order = quick ? (['bare', 'gateway'] as const) : ORDER;

const folder = mkdtempSync(join(tmpdir(), 'wb-bench-'));
const recordingFile = join(folder, 'recording.json');
let journals = 0;

try {
  installPeer();
  console.log(`${machineLine()}; the gateway with ${GATEWAY_NODE_FLAGS.join(' ')}`);
  const recorder = await start('gateway', AT_ONCE);
  const { load, recording } = await record({ ...recorder.target, base_url: recorder.base_url });
  await recorder.child.stop();
  writeFileSync(recordingFile, JSON.stringify(recording));
  const reply = recording.answers[0]?.body.length ?? 0;

  const json = await each(AT_ONCE, (server) => jsonRound(server, load.plain, SIZES.json_ms));
  console.log(`\nPlain replies of about ${reply} bytes, 64 connections, ledger and journal file on`);
  printJson(json);

  const streams = await each(PACED, (server) => streamRound(server, load.streamed, SIZES.streams));
  const { count, over_ms } = SIZES.streams;
  console.log(
    `\n${count} streams at ${1000 / EVENT_MS} events/s each, started evenly over ${over_ms / 1000} s`,
  );
  printStreams(streams);

  const records = await recordsRound(SIZES.records);
  console.log(`\n${records.records} usage records: ${records.rss_mb.toFixed(0)} MB resident`);
  for (const { of, page_us } of records.pages)
    console.log(`  a page of 50 among ${of}: ${page_us.toFixed(0)} µs`);

  console.log('\nTargets (the better of the rounds of each server)');
  printTargets(judge(json, streams, records));
} finally {
  rmSync(folder, { recursive: true });
}

async function each<R extends JsonRound | StreamRound>(
  plan: string,
  measure: (server: ServedProcess) => Promise<R>,
): Promise<Rounds<R>> {
  const rounds: { server: ServerName; round: R }[] = [];
  for (const name of order) {
    const server = await start(name, plan);
    rounds.push({ server: name, round: await measure(server) });
    await server.child.stop();
  }
  return rounds;
}

function start(name: ServerName, plan: string): Promise<ServedProcess> {
  if (name === 'bare') return ServedProcess.start('servers/bare.ts', [recordingFile]);
  if (name === 'aimock') {
    const texts = Array.from({ length: TEXTS }, (_, index) => `word${String(index % 10)}`).join('');
    return ServedProcess.start('servers/aimock.ts', [texts, String(plan === PACED ? EVENT_MS : 0)]);
  }
  journals += 1;
  const args = [plan, join(folder, `journal-${journals}.ndjson`)];
  return ServedProcess.start('servers/weighbridge.ts', args, GATEWAY_NODE_FLAGS);
}

/** The peer is no dependency of the project: it comes by a lock file of its own. */
function installPeer(): void {
  const here = new URL('.', import.meta.url).pathname;
  if (quick || existsSync(join(here, 'node_modules/@copilotkit/aimock'))) return;
  console.log('npm ci --prefix bench/gateway');
  const done = spawnSync('npm', ['ci', '--prefix', here], { stdio: 'inherit' });
  if (done.status !== 0) throw new Error(`npm ci ended with ${done.status}`);
}
