import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';
import type { CallNote } from '../calls/call-details.ts';
import type { Gateway } from '../parts/gateway.ts';

const told = z.looseObject({
  stream: z.boolean().catch(false).default(false),
  user: z.string().catch('').default(''),
  metadata: z
    .looseObject({
      tags: z.array(z.string()).catch([]).default([]),
      session_id: z.string().nullable().catch(null).default(null),
    })
    .catch({ tags: [], session_id: null })
    .default({ tags: [], session_id: null }),
});

interface NotedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** The note of a call where a dialect keeps one. */
export function callNote(
  { dialect }: Pick<Gateway, 'dialect'>,
  { headers, body }: NotedRequest,
  taskId: string | null = null,
): { readonly note?: CallNote } {
  if (dialect === null) return {};
  const read = told.safeParse(body).data;
  const header = headers['x-litellm-session-id'];
  return {
    note: {
      stream: read?.stream ?? false,
      taskId,
      endUser: read?.user ?? '',
      tags: read?.metadata.tags ?? [],
      sessionId: (typeof header === 'string' ? header : null) ?? read?.metadata.session_id ?? null,
    },
  };
}
