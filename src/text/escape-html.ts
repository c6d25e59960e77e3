import { visibleControls } from './visible-controls.ts';

/** For text and for attribute values in double quotes. */
export function escapeHtml(value: string): string {
  return visibleControls(value)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
