import * as z from 'zod';
import { BLOCK_BYTES } from '../../workload/block-text.ts';
import type { TraceRecord } from './trace-records.ts';

const ids = z.array(z.int().min(0));

/**
 * Reads the `hash_ids` of a line in Mooncake's form, one for each block of 512 tokens of its prompt, a last part of one
 * included or not. Gives nothing where the line has none. Blocks of another length would share other prefixes than the
 * trace means.
 */
export function hashBlocks(
  { hashIds }: TraceRecord,
  promptBytes: number | null,
): { hash_ids: readonly number[] } | { rule: string; found: string } | Record<string, never> {
  if (hashIds === undefined || hashIds === null) return {};
  const read = ids.safeParse(hashIds);
  if (!read.success) {
    return {
      rule: 'must be a list of whole numbers of 0 or more',
      found: JSON.stringify(hashIds).slice(0, 40),
    };
  }
  const count = read.data.length;
  const blocks = (promptBytes ?? 0) / BLOCK_BYTES;
  if (count >= Math.floor(blocks) && count <= Math.ceil(blocks)) return { hash_ids: read.data };
  const rule = 'must have one id for each 512 tokens of input_length, a part of them may have one';
  return { rule, found: `${count} ids for ${blocks.toFixed(2)} blocks` };
}
