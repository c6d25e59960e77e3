import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { configInvalid } from '../config/problem.ts';
import { placeInFile } from '../config/read-yaml.ts';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { Plan } from '../contracts/plan.ts';
import { tokenizerOf } from '../text/tokenizer-file.ts';

/** Checks a tokenizer.json before anything is sent: after the run it would be too late. Throws `config_invalid` (exit 2). */
export function plannedTokenizer({
  target: { tokenizer },
  file,
}: Pick<ResolvedConfig, 'target' | 'file'>): Pick<Plan, 'tokenizer'> {
  if (tokenizer === null) return {};
  if (tokenizer === 'server' || tokenizer === 'o200k') return { tokenizer };
  const refused = (rule: string) => {
    const path = ['target', 'tokenizer'];
    const at = placeInFile(file, path);
    return configInvalid([{ at, path: path.join('.'), rule, found: tokenizer, suggestion: null }]);
  };
  let text: string;
  try {
    text = readFileSync(tokenizer, 'utf8');
  } catch {
    throw refused('must be server, o200k, or the path of a tokenizer.json that can be read');
  }
  const read = tokenizerOf(text);
  if ('fault' in read) throw refused(`must be a tokenizer.json that can be read: ${read.fault}`);
  return { tokenizer: { file: tokenizer, sha256: createHash('sha256').update(text).digest('hex') } };
}
