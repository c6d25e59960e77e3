/** The system's code of an error, such as ENOENT, or null. */
export function systemCodeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
