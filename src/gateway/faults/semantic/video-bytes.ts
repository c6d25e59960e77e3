import { Buffer } from 'node:buffer';
import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';
import { makesVideo } from './media-calls.ts';

const UNREADY = Buffer.from('{"status":"in_progress"}');
const PAGE = Buffer.from('<!doctype html><title>Not here</title><p>The file could not be found.</p>');

const tooEarly = defineFault({
  id: 'sem.content_too_early_bytes',
  summary: 'A download before completion is 200 with the type video/mp4 and no video in it.',
  charge: 'charged',
  shape: {
    body: z.enum(['empty', 'json']).default('empty').describe('empty: no byte; json: a status as JSON.'),
  },
  applies: makesVideo,
  arm: ({ body }, { fire }) => ({
    content(file) {
      if (file !== null) return null;
      fire();
      return body === 'empty' ? Buffer.alloc(0) : UNREADY;
    },
  }),
});

const notMp4 = defineFault({
  id: 'sem.not_mp4',
  summary: 'The download of a completed video is 200 with the type video/mp4, but a page of HTML.',
  charge: 'charged',
  shape: {},
  applies: makesVideo,
  arm: (_parameters, { fire }) => ({
    content(file) {
      if (file === null) return null;
      fire();
      return PAGE;
    },
  }),
});

/** Downloads that are no MP4. */
export const VIDEO_BYTES = [tooEarly, notMp4];
