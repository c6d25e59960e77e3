import { escapeHtml } from '../../../text/escape-html.ts';
import { plural } from '../../../text/plural.ts';
import type { ProbeRun } from '../../runs/probe-run.ts';
import { span } from './page-text.ts';

const MOST = 30;
const BAR = 4;
const HEIGHT = 24;
/** A failed run reaches to the top and stands on a gap: told by its form, not by its colour alone. */
const FAILED = '<rect class="failed"';

/** The last runs as bars, the newest at the right; the longer a run that was well took, the higher. */
export function sparkline(runs: readonly ProbeRun[]): string {
  const shown = runs.slice(-MOST);
  if (shown.length === 0) return '';
  // Of those that were well: a timeout would press all others flat.
  const longest = Math.max(
    1,
    ...shown.map(({ error_type, duration_ms }) => (error_type === 'none' ? duration_ms : 0)),
  );
  const bars = shown.map((run, index) => {
    const x = (MOST - shown.length + index) * BAR;
    if (run.error_type !== 'none')
      return `${FAILED} x="${x}" y="0" width="3" height="${HEIGHT - 5}"/>${FAILED} x="${x}" y="${HEIGHT - 3}" width="3" height="3"/>`;
    const height = Math.max(2, Math.round((run.duration_ms / longest) * (HEIGHT - 6)));
    return `<rect class="ran" x="${x}" y="${HEIGHT - height}" width="3" height="${height}"/>`;
  });
  return `<svg class="spark" role="img" width="${MOST * BAR}" height="${HEIGHT}" viewBox="0 0 ${MOST * BAR} ${HEIGHT}" aria-label="${escapeHtml(words(shown))}">${bars.join('')}</svg>`;
}

function words(runs: readonly ProbeRun[]): string {
  const failed = runs.filter(({ error_type }) => error_type !== 'none').length;
  const times = runs.map(({ duration_ms }) => duration_ms);
  return `last ${plural(runs.length, 'run')}: ${failed} failed, ${span(Math.min(...times))} to ${span(Math.max(...times))}`;
}
