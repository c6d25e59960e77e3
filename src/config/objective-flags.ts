import type * as z from 'zod';
import { parseDuration } from './duration.ts';
import { describeFound, type Problem } from './problem.ts';
import { ruleText } from './rule-text.ts';
import { objective } from './traffic-rules.ts';

export type ObjectiveFile = z.infer<typeof objective>;

export const OBJECTIVE_FLAG = '--objective';

const FORM = /^(?:([a-z_]+)\.)?([a-z0-9_]+?)(?:_p(\d{1,2}(?:\.\d{1,3})?))?(?:<=|>=|=)(\S+)$/;
const RULE =
  'must be MEASURE_pN=TIME such as ttft_p95=800ms, or a share or rate such as error_share=1% or goodput_rate=5; KIND. may stand before it';

/** Objectives that flags stand for, several by commas; without a kind before the dot they hold for every scenario that can have them. */
export function objectiveFlags(texts: readonly string[], problems: Problem[]): ObjectiveFile[] {
  return texts
    .flatMap((text) => text.split(','))
    .flatMap((text) => {
      const say = (rule: string) =>
        problems.push({ at: OBJECTIVE_FLAG, path: '', rule, found: describeFound(text), suggestion: null });
      const [, kind, name = '', percentile, bound = ''] = FORM.exec(text.trim()) ?? [];
      const entry = boundOf(name, percentile, bound);
      const read = objective.safeParse({ ...entry, kind }, { error: ruleText });
      if (entry !== null && read.success) return [read.data];
      say(entry === null || read.success ? RULE : read.error.issues.map(({ message }) => message).join('; '));
      return [];
    });
}

const LEAST = ['goodput_rate', 'attainment_share'];

/** What the flag bounds, as the configuration says it; null where its value is none. */
function boundOf(name: string, percentile: string | undefined, bound: string) {
  if (percentile !== undefined) {
    const max = parseDuration(bound);
    return max === null ? null : { measure: `${name}_ms`, percentile: Number(percentile), max };
  }
  if (name === 'usd_per_1000_good') return { measure: name, max_usd: bound };
  const [, digits, percent] = /^(\d{1,9}(?:\.\d{1,9})?)(%?)$/.exec(bound) ?? [];
  if (digits === undefined) return null;
  const value = percent === '%' ? Number(digits) / 100 : Number(digits);
  return { measure: name, [LEAST.includes(name) ? 'min' : 'max']: value };
}
