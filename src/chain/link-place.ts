import { formatInstant } from '../core/time.ts';
import type { Link } from './link.ts';

/** In which line of the table a link is summed. */
export interface LinkPlace {
  readonly day: string | null;
  readonly model: string;
}

/** By the sale, since it is the sale that has a margin; by the purchase where nothing was sold. */
export function placeOfLink(link: Link): LinkPlace {
  const [sale] = link.sales;
  const [purchase] = link.purchases;
  return { day: dayOfLink(link), model: sale?.model || (purchase?.model ?? '') };
}

export function dayOfLink({ sales: [sale], purchases: [purchase] }: Link): string | null {
  const at = sale?.from_ms ?? purchase?.at_ms ?? null;
  return at === null ? null : formatInstant(at).slice(0, 10);
}
