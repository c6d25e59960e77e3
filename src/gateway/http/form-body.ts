import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError, invalidRequest } from './api-error.ts';
import { BODY_LIMIT } from './body-limit.ts';

/** A multipart body can be read once; faults look at it before its route does. */
const READ = new WeakMap<FastifyRequest, Promise<unknown>>();

/**
 * The body of a JSON or multipart request as one object. Files are read to their end and stand as
 * `file:<bytes>:<SHA-256>`; `name[]` is taken as `name` (several files of one name become a list).
 */
export function formBody(request: FastifyRequest): Promise<unknown> {
  const held = READ.get(request);
  if (held !== undefined) return held;
  const reading = request.isMultipart() ? readParts(request) : Promise.resolve(request.body);
  READ.set(request, reading);
  return reading;
}

async function readParts(request: FastifyRequest): Promise<unknown> {
  const fields = new Map<string, string | string[]>();
  let read = 0;
  try {
    for await (const part of request.parts({ limits: { fileSize: BODY_LIMIT } })) {
      if (part.type === 'field') {
        if (part.valueTruncated || part.fieldnameTruncated) throw tooLarge();
        fields.set(part.fieldname, String(part.value));
        continue;
      }
      let bytes = 0;
      const digest = createHash('sha256');
      for await (const chunk of part.file) {
        bytes += Buffer.byteLength(chunk);
        digest.update(chunk);
      }
      read += bytes;
      if (read > BODY_LIMIT || part.file.truncated) throw tooLarge();
      if (bytes === 0) throw invalidRequest(`Invalid value for '${part.fieldname}': the file is empty`);
      addFile(fields, part.fieldname.replace(/\[\]$/, ''), `file:${bytes}:${digest.digest('hex')}`);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw invalidRequest(`Invalid multipart body: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
  return Object.fromEntries(fields);
}

function addFile(fields: Map<string, string | string[]>, name: string, file: string): void {
  const held = fields.get(name);
  fields.set(name, held === undefined ? file : [held, file].flat());
}

function tooLarge(): ApiError {
  return new ApiError({ status: 413, type: 'invalid_request_error', message: 'Request body is too large' });
}
