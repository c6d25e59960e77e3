import { promptText } from '../core/prompt-text.ts';

/** Bytes of a block of 512 tokens, at 5.00 bytes a token. */
export const BLOCK_BYTES = 2_560;

/**
 * The first `bytes` bytes of the blocks that hash ids name, the last a space or a line end. The text of a block follows from
 * its id and the seed alone, so that all calls which begin with the same ids begin with the same bytes.
 */
export function blockText(hashIds: readonly number[], bytes: number, seed: number): string {
  const most = Math.min(bytes, hashIds.length * BLOCK_BYTES);
  if (most < 2) return '';
  const needed = hashIds.slice(0, Math.ceil(most / BLOCK_BYTES));
  // A line end is no part of the token behind it: blocks are whole tokens.
  const text = needed.map((id) => `${promptText(BLOCK_BYTES - 1, 'block', seed, id)}\n`).join('');
  return most === text.length ? text : `${text.slice(0, most - 1)} `;
}
