const STEERS = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * What a target or a file says must steer neither a terminal nor the order in which a reader sees a line: control characters
 * stand as JSON writes them.
 */
export function visibleControls(text: string): string {
  return text.replaceAll(STEERS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
