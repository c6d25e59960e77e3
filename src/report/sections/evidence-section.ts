import type { ClientVerdict, Result } from '../../contracts/result.ts';
import { ABSENT, ms, percent } from '../words/figure-text.ts';
import { clientWords } from '../words/verdict-words.ts';
import { type Block, type Section, table, text } from './report-document.ts';

/** What the verdict rests on: what was read, whether the client kept up, what was left out, why this exit code. */
export function evidenceSection(result: Result): Section {
  const blocks: Block[] = [text(`Client: ${clientWords(result.client)}.`)];
  if (result.client !== null) blocks.push(clientTable(result.client));
  const { completeness } = result;
  if (completeness !== null) {
    blocks.push(
      table(
        ['read from the target', '#value'],
        [
          ['complete', completeness.complete ? 'yes' : 'no'],
          ['pages', String(completeness.pages)],
          ['records', String(completeness.records)],
          [
            'records by the totals',
            completeness.totals_records === null ? ABSENT : String(completeness.totals_records),
          ],
          ['reads', String(completeness.reads)],
          ['last read', completeness.last_read_at ?? ABSENT],
          ['calls still open', String(completeness.open_calls)],
        ],
      ),
    );
    if (completeness.reasons.length > 0) blocks.push({ type: 'list', items: completeness.reasons });
  }
  if (result.stopped.length > 0) {
    blocks.push(
      text('Not driven, because a trial call could not be linked or priced'),
      table(
        ['scenario', 'kind', 'model', 'reason'],
        result.stopped.map(({ scenario, kind, model, reason }) => [scenario, kind, model, reason]),
      ),
    );
  }
  const exits = result.exit_codes.map(({ code, why }) => `exit ${code}: ${why}`);
  blocks.push(
    exits.length === 0 ? text('Exit 0: nothing stands against it.') : { type: 'list', items: exits },
  );
  return { id: 'evidence', title: 'What it rests on', blocks };
}

function clientTable(client: ClientVerdict): Block {
  const megabytes = client.rss_max_bytes === null ? ABSENT : `${Math.round(client.rss_max_bytes / 1e6)} MB`;
  const files = client.open_files_max === null ? ABSENT : String(client.open_files_max);
  return table(
    ['of the client', '#value'],
    [
      ['schedule lag p99, ms', ms(client.schedule_lag_p99_ms)],
      ['timer lag p99, ms', ms(client.timer_lag_p99_ms)],
      ['wait for a processor p99, ms', ms(client.run_queue_p99_ms)],
      [`CPU p95, of ${client.cores} cores`, cores(client.cpu_p95)],
      ['CPU at most', cores(client.cpu_max)],
      ['time in pauses of the garbage collector', percent(client.gc_share)],
      ['memory at most', megabytes],
      [`open files at most, of ${client.open_files_limit ?? ABSENT}`, files],
      ['ledger rows lost', String(client.rows_lost)],
      ['starts dropped by the client’s own fault', String(client.dropped_by_client)],
      ...(client.rps_limit === null
        ? []
        : [['http.rps, of the planned peak', `${client.rps_limit.rps}/s of ${client.rps_limit.planned}/s`]]),
    ],
  );
}

function cores(value: number | null): string {
  return value === null ? ABSENT : value.toFixed(2);
}
