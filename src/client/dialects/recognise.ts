import type { Dialect } from '../../contracts/dialect.ts';
import type { FreeReads } from './bill-reader.ts';
import { queryOfWindow } from './interface.ts';
import { readStatus } from './new-api.ts';

const HOUR_S = 3_600;
const LITELLM_MARK = 'x-litellm-version';

/**
 * The dialect of a target, asked for free: the interface's where `/v1/usage` answers anything but 404, else that of
 * which the target shows a mark, else `plain`; null where it gives no answer.
 */
export async function recognise(reads: FreeReads): Promise<Dialect | null> {
  const end = Math.floor(Date.now() / 1000);
  const { v1 } = reads.bases;
  const hour = queryOfWindow({ window: { start: end - HOUR_S, end } });
  const usage = await reads.look(`${v1}/usage?${hour}`, LITELLM_MARK);
  if (usage.status !== 404) return usage.status === null ? null : 'interface';
  if ((await readStatus(reads)).ok) return 'new-api';
  const mark = usage.header ?? (await reads.look(`${v1}/models`, LITELLM_MARK)).header;
  return mark === null ? 'plain' : 'litellm';
}
