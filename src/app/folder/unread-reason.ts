/** Why a file that was given could not be read, in words. */
export function unreadReason(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  if (code === 'ENOENT') return 'no such file';
  if (code === 'EISDIR') return 'a folder';
  if (code === 'EACCES') return 'a file that may not be read';
  return cause instanceof Error ? cause.message : String(cause);
}
