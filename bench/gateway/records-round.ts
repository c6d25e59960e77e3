import * as z from 'zod';
import { Child } from '../common/child.ts';

const told = z.object({
  records: z.number(),
  rss_mb: z.number(),
  pages: z.array(z.object({ of: z.number(), page_us: z.number() })),
});
export type RecordsRound = z.infer<typeof told>;

/** A process that books so many records and reads pages of them. */
export async function recordsRound(records: number): Promise<RecordsRound> {
  const { child } = await Child.start(new URL('records.ts', import.meta.url), 0, [String(records)]);
  const round = told.parse(await child.ask({ ask: 'told' }));
  await child.stop();
  return round;
}
