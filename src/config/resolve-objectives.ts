import type { ConfigFile } from './config-schema.ts';
import type { Problem } from './problem.ts';
import type { ConfigObjective, ResolvedTraffic } from './resolved-config.ts';

/** The objectives with every key. `traffic`: null where it is not known yet. */
export function resolveObjectives(
  entries: NonNullable<ConfigFile['objectives']>,
  traffic: readonly ResolvedTraffic[] | null,
  path: string,
  problems: Problem[],
): ConfigObjective[] {
  return entries.map((entry, index) => {
    // With traffic of its own the schema has checked this, with line and column.
    if (traffic?.some(({ name, kind }) => name === entry.scenario || kind === entry.kind) === false) {
      const names = traffic.map(({ name }) => name).join(', ');
      const rule = `must name a scenario of the default traffic: ${names}`;
      problems.push({ at: path, path: `objectives[${index}]`, rule, found: null, suggestion: null });
    }
    return {
      scenario: entry.scenario ?? null,
      kind: entry.kind ?? null,
      measure: entry.measure,
      percentile: entry.percentile ?? null,
      max: entry.max ?? null,
      min: entry.min ?? null,
      max_usd: entry.max_usd ?? null,
    };
  });
}
