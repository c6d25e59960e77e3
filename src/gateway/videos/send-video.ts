import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-error.ts';
import type { VideoFile } from '../media/video-file.ts';
import { readRange } from './byte-range.ts';

/** Sends the file, or the range that was asked for; throws ApiError 416 for a range outside it. */
export function sendVideo(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag }: VideoFile,
): FastifyReply {
  reply.headers({ 'accept-ranges': 'bytes', etag });
  // Another file than the one whose first part the client holds is sent whole (RFC 9110 §13.1.5).
  const ifRange = headers['if-range'];
  const range = ifRange === undefined || ifRange === etag ? readRange(headers.range, bytes.length) : null;
  if (range === 'unsatisfiable') {
    throw new ApiError({
      status: 416,
      type: 'invalid_request_error',
      message: 'The range is outside the file',
      headers: { 'content-range': `bytes */${bytes.length}` },
    });
  }
  reply.type('video/mp4');
  if (range === null) return reply.send(bytes);
  const { first, last } = range;
  return reply
    .code(206)
    .header('content-range', `bytes ${first}-${last}/${bytes.length}`)
    .send(bytes.subarray(first, last + 1));
}
