import type { StateLine } from '../core/ledger-lines.ts';
import type { Terminal } from './terminal.ts';

/** Where no line can be redrawn, one is printed each so many milliseconds of the run. */
const PLAIN_EVERY_MS = 5_000;

/** Shows the state lines of a running load: one redrawn line on a terminal, a plain line every few seconds elsewhere. */
export function liveProgress(
  terminal: Terminal,
  durationMs: number,
  capUsd: string | null,
): (state: StateLine) => void {
  let printedAt = Number.NEGATIVE_INFINITY;
  return (state) => {
    const line = progressLine(state, durationMs, capUsd);
    if (terminal.live && !state.final) {
      terminal.redraw(line);
    } else if (state.final || state.elapsed_ms - printedAt >= PLAIN_EVERY_MS) {
      printedAt = state.elapsed_ms;
      terminal.err(line);
    }
  };
}

export function progressLine(state: StateLine, durationMs: number, capUsd: string | null): string {
  const sum = (pick: (scenario: StateLine['scenarios'][number]) => number): number =>
    state.scenarios.reduce((total, scenario) => total + pick(scenario), 0);
  const aborted = sum((scenario) => scenario.aborted ?? 0);
  // As the report counts: whole calls, whatever their attempts, and none that was cut on purpose.
  const failed = sum(({ finished, ok, retried }) => finished - ok - (retried ?? 0)) - aborted;
  // A halt adds the starts that were still to come, as held ones.
  const dueWord = state.halted === null ? 'due' : 'planned';
  const parts = [
    elapsedWords(state.elapsed_ms, durationMs),
    `started ${sum((scenario) => scenario.started)} of ${sum((scenario) => scenario.planned)} ${dueWord}`,
    `in flight ${sum((scenario) => scenario.in_flight)}`,
    `calls ok ${sum((scenario) => scenario.ok)}`,
    `failed ${failed}`,
    `dropped ${sum((scenario) => scenario.dropped)}`,
    ...unlessNone({
      aborted,
      held: sum((scenario) => scenario.held),
      'not sent': sum((scenario) => scenario.not_sent ?? 0),
    }),
  ];
  if (state.reserved_usd !== null) {
    parts.push(`spent at most $${state.reserved_usd}${capUsd === null ? '' : ` of $${capUsd}`}`);
  }
  if (state.halted !== null) parts.push(`no further starts: ${state.halted}`);
  return parts.join('  ');
}

/** Calls that are under way when the planned time is over may end long after it. */
function elapsedWords(elapsedMs: number, durationMs: number): string {
  const [elapsed, planned] = [elapsedMs, durationMs].map((time) => Math.round(time / 1000));
  return elapsedMs <= durationMs ? `${elapsed} s of ${planned}` : `${elapsed} s (${planned} planned)`;
}

/** What we cut or kept back ourselves, in the seconds in which there is any. */
function unlessNone(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [`${name} ${count}`]));
}
