import type { PriceComponent } from '../../contracts/price-book.ts';
import type { ChargeFacts } from './charge-facts.ts';

/** The components of images, seconds or whole calls that a call may be priced by: the most exact match, or all that an `auto` or
 * unknown option leaves open. */
export function matchingComponents(
  components: readonly PriceComponent[],
  meter: 'image' | 'video_second' | 'request',
  facts: Pick<ChargeFacts, 'size' | 'quality' | 'resolution' | 'audio'>,
): readonly PriceComponent[] {
  const fitting = components.filter(
    (component) =>
      component.meter === meter &&
      fits(component.size, facts.size) &&
      fits(component.quality, facts.quality) &&
      (component.audio === undefined || facts.audio === null || component.audio === facts.audio) &&
      (fits(component.resolution, facts.resolution) || fits(component.resolution, linesOf(facts.resolution))),
  );
  const most = Math.max(0, ...fitting.map((component) => exactness(component, facts)));
  return fitting.filter((component) => exactness(component, facts) === most);
}

/** An option that the call left open fits every tier; a tier without the option fits every call. */
function fits(tier: string | undefined, asked: string | null): boolean {
  return tier === undefined || asked === null || asked === tier || asked === 'auto';
}

function exactness(
  component: PriceComponent,
  facts: Pick<ChargeFacts, 'size' | 'quality' | 'resolution' | 'audio'>,
): number {
  const pairs = [
    [component.size, facts.size],
    [component.quality, facts.quality],
    [component.audio, facts.audio],
    [component.resolution, facts.resolution],
    [component.resolution, linesOf(facts.resolution)],
  ] as const;
  return pairs.filter(([tier, asked]) => tier !== undefined && tier === asked).length;
}

/** `1280x720` → `720p`: price lists name the shorter side. */
function linesOf(resolution: string | null): string | null {
  const match = /^(\d{2,5})x(\d{2,5})$/.exec(resolution ?? '');
  if (match === null) return resolution;
  return `${Math.min(Number(match[1]), Number(match[2]))}p`;
}
