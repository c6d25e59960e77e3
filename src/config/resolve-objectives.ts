import { isTokenKind } from '../core/call-kind.ts';
import { OBJECTIVE_FLAG, type ObjectiveFile, objectiveFlags } from './objective-flags.ts';
import { formatPath, type Problem } from './problem.ts';
import { placeInFile } from './read-yaml.ts';
import type { ConfigObjective, ResolvedConfig, ResolvedTraffic } from './resolved-config.ts';

/** Bounds of flags hold beside those of the file. What a trace holds is known only when it is read. */
export function resolveObjectives(
  given: { readonly entries: readonly ObjectiveFile[]; readonly flags: readonly string[] },
  { path, traffic, trace }: { path: string } & Pick<ResolvedConfig, 'traffic' | 'trace'>,
  problems: Problem[],
): ConfigObjective[] {
  const own = trace === null ? traffic : null;
  const entries = objectiveFlags(given.flags, problems);
  const inFile = (index: number, ...key: string[]) => {
    const place = ['objectives', index, ...key];
    return { at: placeInFile(path, place), path: formatPath(place) };
  };
  return [
    ...withEveryKey(given.entries, own, inFile, problems),
    ...withEveryKey(entries, own, () => ({ at: OBJECTIVE_FLAG, path: '' }), problems),
  ];
}

/** `traffic`: null where it is not known yet. */
function withEveryKey(
  entries: readonly ObjectiveFile[],
  traffic: readonly ResolvedTraffic[] | null,
  /** Where an entry, or one of its keys, was said. */
  placeOf: (index: number, ...key: string[]) => Pick<Problem, 'at' | 'path'>,
  problems: Problem[],
): ConfigObjective[] {
  return entries.map((entry, index) => {
    // With traffic of its own the schema has checked this, with line and column.
    const isNamed = (entry.scenario ?? entry.kind) !== undefined;
    if (
      isNamed &&
      traffic?.some(({ name, kind }) => name === entry.scenario || kind === entry.kind) === false
    ) {
      const names = traffic.map(({ name }) => name).join(', ');
      const rule = `must name a scenario or kind of the traffic: ${names}`;
      problems.push({ ...placeOf(index), rule, found: null, suggestion: null });
    }
    const unmeasured = isNamed ? whyUnmeasured(entry, traffic) : null;
    if (unmeasured !== null) {
      problems.push({ ...placeOf(index, 'measure'), found: entry.measure, ...unmeasured });
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

/** Only a stream of text has a first token and a time of each; each scenario of a kind is judged by itself. */
function whyUnmeasured(
  { scenario, kind, measure }: ObjectiveFile,
  traffic: readonly ResolvedTraffic[] | null,
): Pick<Problem, 'rule' | 'suggestion'> | null {
  if (measure !== 'ttft_ms' && measure !== 'tpot_ms') return null;
  const judged = (traffic ?? []).filter((entry) => entry.name === scenario || entry.kind === kind);
  const other = [...judged.map((entry) => entry.kind), ...(kind === undefined ? [] : [kind])].find(
    (each) => !isTokenKind(each),
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
