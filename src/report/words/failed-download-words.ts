import type { FailedDownloads } from '../../contracts/load-result.ts';
import { plural } from '../../text/plural.ts';

/** How many results could not be downloaded, and why, in one line; null where none. */
export function failedDownloadWords(failed: readonly FailedDownloads[]): string | null {
  if (failed.length === 0) return null;
  const all = failed.reduce((sum, { count }) => sum + count, 0);
  const causes = failed.map((each) => `${causeWords(each)} (${each.count})`).join('; ');
  return `${plural(all, 'result')} could not be downloaded: ${causes}`;
}

function causeWords({ outcome, error_type, status }: FailedDownloads): string {
  if (error_type === 'download_failed') return 'no row tells why';
  switch (outcome) {
    case 'http_error':
      return `HTTP ${status}`;
    case 'net_error':
      return `not reached: ${error_type}`;
    case 'truncated':
      return 'broken off';
    case 'bad_response':
      return 'no whole image or video';
    default:
      return `too slow: ${outcome}`;
  }
}
