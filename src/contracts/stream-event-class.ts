/**
 * What an event of a streamed answer was for; `control` is a frame of the format that carries no content (a role, the
 * beginning or end of a block), `unknown` one that the format does not have.
 */
export const STREAM_EVENT_CLASSES = [
  'delta',
  'control',
  'ping',
  'comment',
  'usage',
  'terminator',
  'error',
  'unknown',
  'malformed',
] as const;
export type StreamEventClass = (typeof STREAM_EVENT_CLASSES)[number];
