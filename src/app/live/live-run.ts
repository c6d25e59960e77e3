import { type StateLine, TRIAL_INSTANCE } from '../../contracts/ledger-lines.ts';
import type { Plan } from '../../contracts/plan.ts';
import { formatInstant } from '../../core/time.ts';
import { renderVerdict } from '../../report/terminal/render-verdict.ts';
import { headline } from '../../report/words/verdict-words.ts';
import type { SettleRound } from '../evidence/settle.ts';
import type { FolderReport } from '../judge/judge-folder.ts';
import type { Notices } from '../notices/notices.ts';
import { PROGRESS_SCHEMA, type Progress } from '../notices/progress.ts';
import { LiveLoad } from './live-load.ts';
import type { LivePage } from './page/live-page.ts';
import { progressLine, settlementTeller } from './progress-words.ts';

/** Milliseconds of the run between two printed lines, where nothing can be redrawn. */
const PLAIN_EVERY_MS = 5_000;
/** The time left is told anew this often between rounds of reads. */
const TICK_MS = 1_000;

export interface LiveRunOptions {
  readonly runId: string;
  readonly command: Progress['command'];
  /** Name of the target. */
  readonly target: string;
  readonly notices: Notices;
  /** Null where no page is served. */
  readonly page: Pick<LivePage, 'push'> | null;
}

/** What is known of a running command, and the one place that shows it: terminal, page and programs see the same. */
export class LiveRun {
  readonly #notices: Notices;
  readonly #page: LiveRunOptions['page'];
  readonly #sayRound: (round: SettleRound) => void;
  readonly #ticker: NodeJS.Timeout;
  #progress: Progress;
  #printedAt = Number.NEGATIVE_INFINITY;
  /** When the settlement ends at the latest, by the monotonic clock. */
  #settledBy = 0;

  constructor({ runId, command, target, notices, page }: LiveRunOptions) {
    this.#notices = notices;
    this.#page = page;
    this.#sayRound = settlementTeller(notices.err);
    this.#progress = {
      schema: PROGRESS_SCHEMA,
      event: 'progress',
      at: formatInstant(Date.now()),
      run_id: runId,
      command,
      target,
      stage: 'prepare',
      load: null,
      settlement: null,
      verdict: null,
    };
    this.#ticker = setInterval(() => this.#tick(), TICK_MS);
    // What is shown keeps no process alive.
    this.#ticker.unref();
    this.#show({});
  }

  /** Takes what the load engine tells of one load. */
  load(plan: Plan, instance: string): Pick<LiveLoad, 'onCalls'> & { onState(state: StateLine): void } {
    const load = new LiveLoad(plan, instance);
    this.#printedAt = Number.NEGATIVE_INFINITY;
    this.#show({ stage: instance === TRIAL_INSTANCE ? 'trial' : 'load', settlement: null });
    return {
      onCalls: (rows) => load.onCalls(rows),
      onState: (state) => {
        const shown = load.onState(state);
        this.#show({ load: shown });
        if (this.#isDue(state)) this.#notices.err(progressLine(shown));
      },
    };
  }

  /** The calls have ended; the first round of reads is under way. */
  settlementBegins(): void {
    this.#show({ stage: 'settle', settlement: null });
  }

  settling(round: SettleRound): void {
    this.#settledBy = performance.now() + round.left_ms;
    this.#show({ stage: 'settle', settlement: { ...round, left_ms: Math.round(round.left_ms) } });
    if (this.#notices.shows === null) this.#sayRound(round);
  }

  judging(): void {
    this.#show({ stage: 'judge' });
  }

  done({ result, paths }: FolderReport): void {
    const { tone, text } = headline(result);
    const lines = renderVerdict(result, { width: this.#notices.width });
    const exit_codes = result.exit_codes.map(({ code }) => code);
    this.#show({
      stage: 'done',
      verdict: { tone, headline: text, lines, exit_codes, report: paths.html },
    });
    this.close();
  }

  /** Takes the frame off the terminal. */
  close(): void {
    clearInterval(this.#ticker);
    this.#notices.show(null);
  }

  /** A load's last line stays on the terminal, too. */
  #isDue({ final, elapsed_ms }: StateLine): boolean {
    if (this.#notices.shows === 'states') return false;
    if (final) return true;
    if (this.#notices.shows === 'frames' || elapsed_ms - this.#printedAt < PLAIN_EVERY_MS) return false;
    this.#printedAt = elapsed_ms;
    return true;
  }

  #tick(): void {
    const { stage, settlement } = this.#progress;
    if (stage !== 'settle' || settlement === null) return;
    const left_ms = Math.max(0, Math.round(this.#settledBy - performance.now()));
    this.#show({ settlement: { ...settlement, left_ms } });
  }

  #show(change: Partial<Progress>): void {
    const progress = { ...this.#progress, ...change, at: formatInstant(Date.now()) };
    this.#progress = progress;
    this.#page?.push(progress);
    this.#notices.show(progress);
  }
}
