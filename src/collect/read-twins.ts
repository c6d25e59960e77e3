import { contentHash } from './content-digest.ts';
import type { SweepContext } from './sweep-context.ts';
import { type PageWalk, walkPages } from './walk-pages.ts';

/**
 * True where contents that two pages served are two equal records: the second of each, read by itself, holds it twice
 * on one page. Totals that count both are not enough, since a page that repeats one record and leaves out another
 * leaves the count as it was.
 */
export async function areTwins(context: SweepContext, { repeated }: PageWalk): Promise<boolean> {
  for (const { content, created_at: second } of repeated) {
    const wanted = content.join();
    let most = 0;
    const walk = await walkPages(context, {
      query: { window: { start: second, end: second + 1 } },
      read: 'records',
      purpose: 'bisect',
      sink({ fresh }) {
        most = Math.max(most, fresh.filter((text) => contentHash(text).join() === wanted).length);
      },
    });
    if (!walk.complete || most < 2) return false;
  }
  return repeated.length > 0;
}
