import { isTextKind } from '../core/call-kind.ts';
import type { ConfigFile } from './config-schema.ts';
import type { Problem } from './problem.ts';
import { placeInFile } from './read-yaml.ts';
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
      const at = placeInFile(path, ['objectives', index]);
      problems.push({ at, path: `objectives[${index}]`, rule, found: null, suggestion: null });
    }
    const unmeasured = whyUnmeasured(entry, traffic);
    if (unmeasured !== null) {
      const at = placeInFile(path, ['objectives', index, 'measure']);
      problems.push({ at, path: `objectives[${index}].measure`, found: entry.measure, ...unmeasured });
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

type ObjectiveFile = NonNullable<ConfigFile['objectives']>[number];

/** Only a stream of text has a first token and a time of each; each scenario of a kind is judged by itself. */
function whyUnmeasured(
  { scenario, kind, measure }: ObjectiveFile,
  traffic: readonly ResolvedTraffic[] | null,
): Pick<Problem, 'rule' | 'suggestion'> | null {
  if (measure !== 'ttft_ms' && measure !== 'tpot_ms') return null;
  const judged = (traffic ?? []).filter((entry) => entry.name === scenario || entry.kind === kind);
  const other = [...judged.map((entry) => entry.kind), ...(kind === undefined ? [] : [kind])].find(
    (each) => !isTextKind(each),
  );
  if (other !== undefined) {
    const rule = `can never be measured: a call of ${other} is no stream of text`;
    return { rule, suggestion: 'bound e2e_ms in its place' };
  }
  const plain = judged.find(({ text }) => text?.stream_share === 0);
  if (plain === undefined) return null;
  const rule = `can never be measured: no call of ${plain.name} streams, as its stream is 0`;
  return { rule, suggestion: 'give it a stream above 0, or bound e2e_ms in its place' };
}
