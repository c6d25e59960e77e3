import { WeighbridgeError } from '../../contracts/failure.ts';

export const DEFAULT_MEMORY_BYTES = 2_000_000_000;

/** With less, what DuckDB and Node themselves take leaves nothing. */
const LEAST_BYTES = 1_000_000_000;

const UNITS: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9, MIB: 2 ** 20, GIB: 2 ** 30 };

/** `--memory` in bytes: 0, or at least 1GB. Throws `memory_invalid` (exit 2). */
export function memoryBytes({ memory }: { readonly memory?: string | undefined }): number {
  if (memory === undefined) return DEFAULT_MEMORY_BYTES;
  if (memory === '0') return 0;
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([KMG]i?B)$/i.exec(memory) ?? [];
  const bytes = Number(number) * (UNITS[unit.toUpperCase()] ?? 0);
  if (bytes >= LEAST_BYTES) return Math.floor(bytes);
  throw new WeighbridgeError({
    code: 'memory_invalid',
    message: `--memory must be 0 or a size of at least 1GB, such as 2GB or 1.5GiB, but it is ${JSON.stringify(memory)}.`,
    hint: 'Leave the flag out for 2GB. With 0, every row is checked one by one, and memory is not limited.',
  });
}
