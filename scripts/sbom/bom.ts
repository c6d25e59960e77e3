import { z } from 'zod';

const property = z.object({ name: z.string(), value: z.string() });
const component = z.looseObject({
  'bom-ref': z.string(),
  name: z.string(),
  version: z.string(),
  purl: z.string(),
  properties: z.array(property).optional(),
});
const dependency = z.object({ ref: z.string(), dependsOn: z.array(z.string()).optional() });
/** A bill of materials as CycloneDX, as far as it is changed here. */
export const bomSchema = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.string(),
  metadata: z.looseObject({ component }),
  components: z.array(component),
  dependencies: z.array(dependency),
});
export type Bom = z.infer<typeof bomSchema>;
export type BomComponent = z.infer<typeof component>;

/** What is described: the name, version and purl of ours. */
export interface Described {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licence: string;
}

/**
 * The bill of what `described` consists of, as the same text each time. What `keep` refuses is gone, from the tree too; so are
 * time, serial number and tools, which differ from machine to machine. Some versions of npm list a part once for each folder.
 */
export function bomText(
  { bomFormat, specVersion, metadata, components, dependencies }: Bom,
  described: Described,
  keep: (component: BomComponent) => boolean = () => true,
): string {
  const { name, version, purl, licence } = described;
  const own = metadata.component['bom-ref'];
  const kept = once(
    components.filter(keep).map(({ properties: _, ...part }) => part),
    (part) => part['bom-ref'],
  );
  const refs = new Set([...kept.map((each) => each['bom-ref']), own]);
  const renamed = (ref: string): string => (ref === own ? purl : ref);
  const tree = once(dependencies, ({ ref }) => ref)
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({
      ref: renamed(ref),
      dependsOn: dependsOn.filter((one) => refs.has(one)).sort(),
    }));
  const bom = {
    bomFormat,
    specVersion,
    version: 1,
    metadata: {
      component: { 'bom-ref': purl, type: 'application', name, version, purl, licenses: licensesOf(licence) },
    },
    components: kept,
    dependencies: tree,
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

/** As CycloneDX takes an SPDX licence: one by its id, several as an expression. */
export function licensesOf(licence: string): readonly object[] {
  return /[ (]/.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }];
}

/** By their keys in order, the first of each. */
function once<Item>(items: readonly Item[], key: (item: Item) => string): Item[] {
  const first = new Map(items.toReversed().map((item) => [key(item), item]));
  return [...first].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, item]) => item);
}
