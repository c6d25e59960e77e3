import type { DueRun } from '../schedule/due-run.ts';
import { freeRun } from './free-run.ts';
import type { RunOutcome } from './run-outcome.ts';
import type { TargetMeans } from './target-means.ts';

/** The price book, which paid probes are priced by from then on. */
export function pricebookRun(means: TargetMeans, due: DueRun): Promise<RunOutcome> {
  return freeRun(means, due, async ({ client, take, wrong }) => {
    const answer = await take('GET /pricing.usd.json', client.priceBook());
    const { book, problems } = means.book.take(answer);
    const at_ms = means.clock.now_ms();
    await means.seen({ document: 'pricebook', answer, book, problems, probe: due.probe, at_ms });
    if (book === null)
      wrong(`GET /pricing.usd.json: expected a book that can be read, found ${problems[0] ?? 'none'}`);
  });
}
