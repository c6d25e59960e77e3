import { API_DATE } from '../http/api-date.ts';
import { type ErrorForm, errorFormOf } from '../http/error-answer.ts';
import type { JsonSchema } from '../http/wire-form.ts';
import { accountError, messagesError, modelError } from './answers/error-answers.ts';
import { componentSchemas, inlineSchema, OPERATIONS, schemaRef } from './named-schemas.ts';
import {
  HEADERS,
  methodOf,
  type Operation,
  type OperationAnswer,
  type Security,
  type SecurityScheme,
  type StreamDescription,
} from './operation.ts';

const ABOUT = `Text, images and videos from hosted models against prepaid USD credit, usage reads and the account.

- Every answer carries one request id in \`x-oneapi-request-id\`, \`x-request-id\` and \`request-id\`; every error message ends with it.
- A path that exists under another method answers 405 with \`Allow\`, an unknown one 404. HEAD stands beside every GET; OPTIONS is 405.
- Header fields above the limit answer 431, a request that is no HTTP 400, a request that does not arrive in time 408: each with the error object.
- The schema of a \`text/event-stream\` is that of one event with its fields \`event\` and \`data\`.`;

const SECURITY_SCHEMES: Readonly<Record<SecurityScheme, object>> = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'A key for model calls and usage reads' },
  apiKeyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'The same key in another header',
  },
  accessToken: { type: 'http', scheme: 'bearer', description: 'The system access token of an account' },
  userId: {
    type: 'apiKey',
    in: 'header',
    name: 'New-Api-User',
    description: 'The user id that owns the token',
  },
};

const PARAMETER_NOTES: Readonly<Record<string, string>> = {
  job_id: 'From the submission',
  task_id: '`id` of the task',
  size: 'Width x height',
  name: 'File name',
  exp: 'End of the link, Unix seconds',
  sig: 'Signature of the link',
  response_format: 'How the image comes; without it, as asked at submission',
  start_time: 'First second inside; without it, 30 days before `end_time`',
  end_time: 'First second outside; without it, now. A window spans 31 days at most',
  model: 'Exact model id',
  request_id: 'Exact request id',
  limit: 'Records of a page',
  before: '`next_cursor` of the page before; window and filters must be kept',
  range: 'One byte range; anything else is answered with the whole file',
  seconds: 'Length of the video',
  'if-range': '`etag` of the file of which the client holds a part; for another one all of it is sent',
  'idempotency-key':
    'Names the request for a day: sent again under it, it gets the first answer and is not charged',
  'if-none-match': '`etag` of the copy that the client has',
  'anthropic-version': 'Any date',
};

const ERROR_MEANS: Readonly<Record<number, string>> = {
  400: 'The request itself is wrong',
  401: 'The credential is missing or not valid',
  402: 'No credit is left: `insufficient_user_quota`',
  403: 'Known, and not allowed: `access_denied`, `key_site_mismatch`, `insufficient_user_quota`',
  404: 'No such model, job, task or file',
  408: 'The body did not arrive in time',
  409: 'The job has no result, or the `Idempotency-Key` belongs to another request or one that still runs',
  413: 'The body is too large',
  416: 'The range is outside the file',
  429: 'Too many requests, or the model is busy: `upstream_crowded`',
  500: 'The model did not answer as it should',
  502: 'The model is not available for now: `upstream_unavailable`',
  503: 'The service is not available for now',
  504: 'The model did not answer in time',
  524: 'The model did not answer in time',
};

const ERROR_SCHEMA: Readonly<
  Record<ErrorForm, typeof modelError | typeof messagesError | typeof accountError>
> = { model: modelError, messages: messagesError, account: accountError };

/** The OpenAPI 3.1 description of a service at this address. */
export function openapiDocument(serverUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of OPERATIONS) {
    paths[operation.path] = { ...paths[operation.path], [methodOf(operation)]: describe(operation) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Model gateway',
      version: API_DATE,
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      responses: errorAnswers(),
      schemas: componentSchemas(),
    },
  };
}

const API_KEY: Security = [{ apiKey: [] }];

function describe(operation: Operation): object {
  const { id, summary, security = API_KEY, body, answers, errors, path } = operation;
  const errorForm = errorFormOf(path);
  return {
    operationId: id,
    summary,
    security,
    parameters: parametersOf(operation),
    ...(body === undefined ? {} : { requestBody: { required: true, content: bodyContent(body) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, describeAnswer(answer, operation)]),
      ),
      ...Object.fromEntries(
        [...errors]
          .sort((left, right) => left - right)
          .map((status) => [status, { $ref: `#/components/responses/${errorName(errorForm, status)}` }]),
      ),
    },
  };
}

function bodyContent({ schema, types, examples }: NonNullable<Operation['body']>): object {
  const shown = Object.entries(examples).map(([name, value]) => [name, { value }] as const);
  return Object.fromEntries(
    types.map((type) => [
      type,
      type === 'application/json'
        ? { schema: schemaRef(schema), examples: Object.fromEntries(shown) }
        : { schema: schemaRef(schema, true) },
    ]),
  );
}

function parametersOf({ path, query, headers = {} }: Operation): object[] {
  const shape = query?.shape ?? {};
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
      parameter('path', name, true, { type: 'string' }),
    ),
    ...Object.entries(shape).map(([name, schema]) =>
      parameter('query', name, !schema.safeParse(undefined).success, inlineSchema(schema)),
    ),
    ...Object.entries(headers).map(([name, schema]) =>
      parameter('header', name, false, inlineSchema(schema)),
    ),
  ];
}

function parameter(where: 'path' | 'query' | 'header', name: string, required: boolean, schema: JsonSchema) {
  return { name, in: where, required, description: PARAMETER_NOTES[name] ?? name, schema };
}

function describeAnswer(
  { means, content, events, headers = [] }: OperationAnswer,
  { links }: Operation,
): object {
  return {
    description: means,
    headers: {
      'x-oneapi-request-id': { description: 'Id of the request', schema: { type: 'string' } },
      ...Object.fromEntries(headers.map((name) => [name, HEADERS[name]])),
    },
    ...(content === null
      ? {}
      : {
          content: Object.fromEntries(
            Object.entries(content).map(([type, schema]) => [
              type,
              schema === 'file' ? fileContent(type, events) : { schema: schemaRef(schema) },
            ]),
          ),
        }),
    ...(links === undefined
      ? {}
      : {
          links: Object.fromEntries(
            Object.entries(links).map(([operationId, link]) => [
              operationId,
              { operationId, parameters: { [link.parameter]: `$response.body#/${link.field}` } },
            ]),
          ),
        }),
  };
}

/** A stream is described by one of its events, since 3.1 has no other place for that. */
function fileContent(type: string, events: StreamDescription | undefined): object {
  if (type !== 'text/event-stream' || events === undefined) {
    return { schema: { type: 'string', format: 'binary' } };
  }
  const { data, named, end } = events;
  const json = { contentMediaType: 'application/json', contentSchema: schemaRef(data) };
  return {
    schema: {
      type: 'object',
      properties: {
        event: { type: 'string' },
        data: { type: 'string', ...(end === undefined ? json : { if: { const: end }, else: json }) },
      },
      required: named ? ['event', 'data'] : ['data'],
    },
  };
}

/** The error answers that endpoints point at. */
function errorAnswers(): Record<string, object> {
  const all = OPERATIONS.flatMap(({ path, errors }) =>
    errors.map((status) => ({ form: errorFormOf(path), status })),
  );
  return Object.fromEntries(
    all.map(({ form, status }) => [errorName(form, status), describeError(status, form)]),
  );
}

function errorName(form: ErrorForm, status: number): string {
  return `${form}${status}`;
}

function describeError(status: number, form: ErrorForm): object {
  return {
    description: ERROR_MEANS[status] ?? 'The request failed',
    ...(status === 429 ? { headers: { 'retry-after': HEADERS['retry-after'] } } : {}),
    content: { 'application/json': { schema: schemaRef(ERROR_SCHEMA[form]) } },
  };
}
