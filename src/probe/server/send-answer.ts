import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { acceptsGzip } from './accepted-format.ts';
import type { Answer } from './answer.ts';
import { CLOSED_POLICY, securityHeaders } from './security-headers.ts';
import { SERVER_LIMITS } from './server-limits.ts';

const compressed = promisify(gzip);
/** A rendering of a megabyte becomes a tenth larger than at the usual level, in less than a third of the time. */
const FAST = { level: constants.Z_BEST_SPEED };

/** Writes an answer, compressed where that is asked for; to HEAD without its body. */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): Promise<void> {
  const text = Buffer.from(answer.body);
  const zip = text.length >= SERVER_LIMITS.gzip_from_bytes && acceptsGzip(request.headers['accept-encoding']);
  const body = zip ? await compressed(text, FAST) : text;
  // The reader may have gone meanwhile.
  if (response.destroyed || response.headersSent) return;
  response.writeHead(answer.status, {
    ...securityHeaders(CLOSED_POLICY),
    vary: 'Accept-Encoding',
    ...answer.headers,
    'content-type': answer.type,
    'content-length': body.length,
    ...(zip ? { 'content-encoding': 'gzip' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
