import { loadConfig } from '../../config/load-config.ts';
import { storeAssumed } from '../folder/assumed-file.ts';
import { askedTolerances, keepAsked } from '../folder/gate-file.ts';
import { keepJudgedBy } from '../folder/run-folder.ts';
import type { Notices } from '../notices/notices.ts';
import { keepFlagBook, keepMapping } from '../target/given-book.ts';
import type { ReconcileFlags } from './reconcile-flags.ts';

/**
 * Keeps in the folder what its next verdict was asked to judge by: gate, book, readings, and the tolerances and terms of `--config`.
 * Without that flag those of the run hold. Throws as the configuration and the book do (exit 2).
 */
export async function judgeBy(runDir: string, flags: ReconcileFlags, { env }: Notices): Promise<void> {
  const asked = askedTolerances(flags);
  const config = flags.config === undefined ? null : loadConfig({ file: flags.config, env, flags: {} });
  keepAsked(runDir, asked);
  storeAssumed(runDir, flags.assumeReading ?? []);
  keepJudgedBy(runDir, config);
  const { file, mapping } = config?.billing.book ?? { file: null, mapping: null };
  if (mapping !== null) keepMapping(runDir, mapping);
  const book = flags.pricebook ?? file;
  if (book !== null) await keepFlagBook(runDir, book, env);
}
