import type * as z from 'zod';
import type { JsonSchema } from '../http/wire-form.ts';

/** Each entry is one way in; the schemes of an entry are needed together. `{}`: without a credential. */
export type Security = readonly Readonly<Partial<Record<SecurityScheme, readonly []>>>[];
export type SecurityScheme = 'apiKey' | 'apiKeyHeader' | 'accessToken' | 'userId';

type MediaType = 'application/json' | 'multipart/form-data' | 'text/event-stream' | 'video/mp4' | 'image/png';

/** What each event of a `text/event-stream` is. */
export interface StreamDescription {
  /** The JSON of `data:`. */
  readonly data: z.ZodType;
  /** Whether an `event:` line names the type. */
  readonly named: boolean;
  /** Data of the last event where that is no JSON. */
  readonly end?: string;
}

/** A success answer. Media types of files and streams have no schema of their own. */
export interface OperationAnswer {
  readonly means: string;
  readonly content: Readonly<Partial<Record<MediaType, z.ZodType | 'file'>>> | null;
  readonly events?: StreamDescription;
  readonly headers?: readonly AnswerHeader[];
}

/** Headers of answers, and what each tells. */
export const HEADERS = {
  'retry-after': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
  location: { description: 'Path of the job', schema: { type: 'string' } },
  etag: { description: 'Changes with the content', schema: { type: 'string' } },
  'cache-control': { description: 'How long a copy may be kept', schema: { type: 'string' } },
  'x-api-version': { description: 'Date of this description', schema: { type: 'string', format: 'date' } },
  'accept-ranges': { description: 'Ranges of bytes are served', schema: { const: 'bytes' } },
  'idempotency-replayed': {
    description: 'The answer is that of an earlier request with this key',
    schema: { const: 'true' },
  },
  'content-location': { description: 'A signed link to the file', schema: { type: 'string' } },
  'content-range': { description: 'Which bytes of how many', schema: { type: 'string' } },
} as const satisfies Record<string, { readonly description: string; readonly schema: JsonSchema }>;
export type AnswerHeader = keyof typeof HEADERS;

/** One endpoint as data: what it takes by the schemas that read it, and all it may answer. */
export interface Operation {
  /** camelCase name, unique. */
  readonly id: string;
  /** With `{name}` for a part that varies. */
  readonly path: string;
  readonly summary: string;
  /** An API key unless given. */
  readonly security?: Security;
  readonly query?: z.ZodObject;
  /** Optional request headers. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  /** The schema that reads the body of a POST, and the media types in which it may come. */
  readonly body?: {
    readonly schema: z.ZodType;
    readonly types: readonly ('application/json' | 'multipart/form-data')[];
    /** JSON bodies that are accepted as they stand, by name. */
    readonly examples: Readonly<Record<string, object>>;
  };
  readonly answers: Readonly<Record<number, OperationAnswer>>;
  /** HTTP statuses of interface §7 that it may answer. */
  readonly errors: readonly number[];
  /** Reads that go on from this answer: operation id → parameter and the field that fills it. */
  readonly links?: Readonly<Record<string, { readonly parameter: string; readonly field: string }>>;
}

/** What takes a body makes something; all else reads. */
export function methodOf({ body }: Operation): 'get' | 'post' {
  return body === undefined ? 'get' : 'post';
}

export const NO_CREDENTIAL: Security = [];
export const OPTIONAL_API_KEY: Security = [{}, { apiKey: [] }];
export const API_KEY_OR_HEADER: Security = [{ apiKey: [] }, { apiKeyHeader: [] }];
export const ACCESS_TOKEN_AND_USER: Security = [{ accessToken: [], userId: [] }];

/** Statuses of interface §7 for calls that are charged: those of the caller, of credit and limits, of upstreams. */
export const PAID_ERRORS = [400, 401, 402, 403, 404, 408, 413, 429, 500, 502, 503, 504, 524] as const;

/** The same where an `Idempotency-Key` may be given. */
export const MAKING_ERRORS = [...PAID_ERRORS, 409] as const;

/** Statuses of reads with a key. */
export const READ_ERRORS = [400, 401, 403, 429, 500, 503] as const;
