import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { isNotOurs } from '../../contracts/match-pass.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { compareText } from '../../core/compare-text.ts';
import { formatInstant, parseInstant, SECONDS_PER_DAY } from '../../core/time.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { ledgerFiles } from '../../ledger/ledger-files.ts';
import { type LoadedLedger, loadLedger } from '../../ledger/load-ledger.ts';
import { runOfPart } from '../../ledger/one-run.ts';
import {
  GONE_FILE,
  type GoneRun,
  goneText,
  KNOWN_FOLDER,
  knownFile,
  PROBE,
  readGone,
} from '../../reconcile/input/known-files.ts';
import { idsOf } from '../../reconcile/match/known-records.ts';
import { type PaidCall, paidCalls } from '../../reconcile/records/paid-call.ts';
import { type ListedRun, listedRuns } from '../../state/listed-runs.ts';
import type { JudgedFolder } from '../judge/judge-folder.ts';

/** Clocks of gateways may differ from ours by this, and a run is noted before its first call. */
const MARGIN_MS = 5 * 60_000;

/** Records that no id of the ledger names. */
interface UnnamedRecords {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly ids: ReadonlySet<string>;
  /** Some of them are, or could be, taken for something of the ledger's: then even a late record of another run matters. */
  readonly accused: boolean;
}

/** Null where there is none. */
function unnamedOf({ calls, sums }: Reconciliation): UnnamedRecords | null {
  const byId: readonly string[] = ['request_id', 'other_id', 'linked_id'];
  const other = calls.filter(({ match, record_ids }) => record_ids.length > 0 && !byId.includes(match));
  const records = [...other, ...sums].flatMap((each) => each.records ?? []);
  const dated = records.flatMap(({ created_at }) => (created_at === null ? [] : [created_at * 1000]));
  if (dated.length === 0) return null;
  return {
    from_ms: dated.reduce((least, ms) => Math.min(least, ms), Number.POSITIVE_INFINITY),
    to_ms: dated.reduce((most, ms) => Math.max(most, ms), Number.NEGATIVE_INFINITY),
    ids: new Set(records.map(({ request_id }) => request_id)),
    accused: other.some(({ match }) => !isNotOurs(match)),
  };
}

/** True where a record of the call may be among them. */
function isOfUnnamed(call: PaidCall, { from_ms, to_ms, ids }: UnnamedRecords): boolean {
  const told = idsOf(call).some((id) => ids.has(id));
  return told || (call.started_ms - MARGIN_MS <= to_ms && call.ended_ms + MARGIN_MS >= from_ms);
}

export interface OtherCallsSources {
  readonly runDir: string;
  /** `<state>/<target>`; null where there is none. */
  readonly home: string | null;
  /** Fingerprints of the keys whose bill is judged; none: that of any. */
  readonly keys: readonly string[];
  /** Told which ledger could not be read. */
  readonly say: (line: string) => void;
}

/** A judgement, and the runs whose calls it judged. */
interface JudgedRuns {
  readonly reconciliation: Reconciliation | null;
  readonly own: readonly string[];
}

const DAY_MS = SECONDS_PER_DAY * 1000;

/**
 * Puts into a run folder what else of ours used its key, as far as its records may be of that: calls of other runs and
 * of the daemon, and the times of runs whose folder is gone. What was put there once stays.
 */
export class OtherCallsKeeper {
  readonly #sources: OtherCallsSources;
  /** Of runs that have ended. */
  readonly #ledgers = new Map<string, Promise<LoadedLedger | null>>();

  constructor(sources: OtherCallsSources) {
    this.#sources = sources;
  }

  /** Judges; where what is known of records without a call of their own is other than before, judges once more. */
  async judged<Judged>(judge: () => Promise<Judged>, of: (judged: Judged) => JudgedRuns): Promise<Judged> {
    const first = await judge();
    const { reconciliation, own } = of(first);
    return reconciliation !== null && (await this.#keep(reconciliation, own)) ? judge() : first;
  }

  async #keep(reconciliation: Reconciliation, own: readonly string[]): Promise<boolean> {
    const { home } = this.#sources;
    const unnamed = unnamedOf(reconciliation);
    if (home === null || unnamed === null) return false;
    const gone = new Map(readGone(this.#sources.runDir).map((run) => [run.run_id, run]));
    let changed = this.#put(PROBE, await this.#probed(home, unnamed, own), unnamed);
    for (const { run, to, isNear } of this.#runs(listedRuns(home), unnamed)) {
      const { run_id } = run;
      // Of one that was gone before, more may be known now.
      if (own.includes(run_id) || !(isNear || gone.has(run_id))) continue;
      const ledger = await this.#ledgerOf(run);
      if (ledger !== null) changed = this.#put(run_id, ledger, unnamed) || changed;
      if (ledger !== null || existsSync(this.#pathOf(knownFile(run_id)))) gone.delete(run_id);
      else gone.set(run_id, { run_id, from: formatInstant(beganMs(run)), to });
    }
    return this.#putGone([...gone.values()]) || changed;
  }

  /** Those of the keys; `isNear`: its records may be among the unnamed, and a task settles up to a day after its call. */
  #runs(all: readonly ListedRun[], { from_ms, to_ms, accused }: UnnamedRecords) {
    const { keys } = this.#sources;
    const late_ms = accused ? DAY_MS : MARGIN_MS;
    return all.flatMap((run, index) => {
      // Two runs never put load on a target at once: one that never ended was over when the next began.
      const to = run.last_end ?? all[index + 1]?.first_sent ?? null;
      const end = to === null ? Number.POSITIVE_INFINITY : (parseInstant(to) ?? 0) + late_ms;
      const isNear = beganMs(run) <= to_ms && end >= from_ms;
      return isOfKeys(run, keys) ? [{ run, to, isNear }] : [];
    });
  }

  /** Null where its folder is gone, or its ledger cannot be read. */
  #ledgerOf(run: ListedRun): Promise<LoadedLedger | null> {
    const known = this.#ledgers.get(run.run_id);
    if (known !== undefined) return known;
    const read = this.#read(run);
    if (run.last_end !== null) this.#ledgers.set(run.run_id, read);
    return read;
  }

  async #read({ run_id, folder }: ListedRun): Promise<LoadedLedger | null> {
    // Reports may have been moved together.
    const places = [folder, join(dirname(this.#sources.runDir), run_id)];
    const place = places.find((each) => existsSync(join(each, 'calls')));
    return place === undefined ? null : this.#readable(place);
  }

  async #readable(path: string): Promise<LoadedLedger | null> {
    try {
      return await loadLedger(path);
    } catch (error) {
      if (!(error instanceof WeighbridgeError)) throw error;
      this.#sources.say(`The calls of another command could not be read: ${error.message}`);
      return null;
    }
  }

  /** Of the daemons of this address: each key has a folder of its own. */
  async #probed(
    home: string,
    { from_ms, to_ms }: UnnamedRecords,
    own: readonly string[],
  ): Promise<Pick<LoadedLedger, 'rows' | 'intents'>> {
    const [first, last] = [from_ms - DAY_MS, to_ms + DAY_MS].map((ms) => formatInstant(ms).slice(0, 10));
    const read: LoadedLedger[] = [];
    for (const dir of readdirSync(dirname(home)).filter((name) => isOfAddress(name, basename(home)))) {
      const calls = join(dirname(home), dir, 'probe', 'calls');
      for (const file of existsSync(calls) ? await ledgerFiles(calls) : []) {
        // Named by the day of its first line.
        const day = basename(file).slice(0, 10);
        const ledger = day < (first ?? '') || day > (last ?? '') ? null : await this.#readable(file);
        if (ledger?.headers.some(({ run_id }) => own.includes(run_id)) === false) read.push(ledger);
      }
    }
    return { rows: read.flatMap(({ rows }) => rows), intents: read.flatMap(({ intents }) => intents) };
  }

  /** True where something else stood there. Nothing is put where nothing is known. */
  #put(name: string, ledger: Pick<LoadedLedger, 'rows' | 'intents'>, unnamed: UnnamedRecords): boolean {
    const intents = new Map(ledger.intents.map((intent) => [intent.call_id, intent]));
    const text = paidCalls({ ...ledger, states: [] })
      .filter((call) => isOfUnnamed(call, unnamed))
      .flatMap(({ call_id, row }) => row ?? intents.get(call_id) ?? [])
      .filter((line) => isOfKeys(line, this.#sources.keys))
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');
    return text !== '' && this.#replace(knownFile(name), text);
  }

  #putGone(gone: readonly GoneRun[]): boolean {
    const sorted = gone.toSorted((left, right) => compareText(left.run_id, right.run_id));
    const isHere = existsSync(this.#pathOf(GONE_FILE));
    return (isHere || gone.length > 0) && this.#replace(GONE_FILE, goneText(sorted));
  }

  #replace(name: string, text: string): boolean {
    const file = this.#pathOf(name);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return false;
    mkdirSync(dirname(file), { recursive: true });
    replaceFile(file, text);
    return true;
  }

  #pathOf(name: string): string {
    return join(this.#sources.runDir, KNOWN_FOLDER, name);
  }
}

function beganMs({ first_sent }: ListedRun): number {
  return (parseInstant(first_sent) ?? 0) - MARGIN_MS;
}

function isOfKeys({ key_fp }: { readonly key_fp: string | null }, keys: readonly string[]): boolean {
  return key_fp === null || keys.length === 0 || keys.includes(key_fp);
}

/** The folder of the target, or of a further key at its address (docs/state.md). */
function isOfAddress(name: string, folder: string): boolean {
  return name === folder || name.startsWith(`${folder}+`);
}

/** For `OtherCallsKeeper.judged`: the runs of its own ledger are no others. */
export function judgedRunsOf({ reconciliation, ledger }: JudgedFolder) {
  return { reconciliation, own: ledger.headers.map(({ run_id }) => runOfPart(run_id)) };
}
