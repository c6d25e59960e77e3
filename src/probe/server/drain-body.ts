import type { IncomingMessage } from 'node:http';
import { SERVER_LIMITS } from './server-limits.ts';

/** Passes over a body that no route reads; false where it is longer than it may be or its sender went away. */
export async function drainBody(request: IncomingMessage): Promise<boolean> {
  if (Number(request.headers['content-length'] ?? 0) > SERVER_LIMITS.max_body_bytes) return false;
  let size = 0;
  try {
    // Not destroyed when we stop: the refusal goes out on the same connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += Buffer.byteLength(chunk);
      if (size > SERVER_LIMITS.max_body_bytes) return false;
    }
    return true;
  } catch {
    return false;
  }
}
