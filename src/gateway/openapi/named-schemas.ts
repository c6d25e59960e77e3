import * as z from 'zod';
import { chatRequest } from '../formats/chat-format.ts';
import { imageEditRequest, imageGenerationRequest } from '../formats/image-request.ts';
import { messagesRequest } from '../formats/messages-format.ts';
import { responsesRequest } from '../formats/responses-format.ts';
import { videoRequest } from '../formats/video-request.ts';
import { FORM_FIELD, type JsonSchema, WIRE_FORM } from '../http/wire-form.ts';
import { apiDescription, modelList, priceBook } from './answers/catalogue-answers.ts';
import { chatCompletion, chatCompletionChunk } from './answers/chat-answers.ts';
import { accountError, messagesError, modelError } from './answers/error-answers.ts';
import { imageJob, imageResponse, videoTask } from './answers/media-answers.ts';
import { messageObject, messageStreamEvent } from './answers/messages-answers.ts';
import { responseObject, responseStreamEvent } from './answers/responses-answers.ts';
import { accountAnswer, usagePageAnswer, usageRecord, usageTotalsAnswer } from './answers/usage-answers.ts';
import type { Operation } from './operation.ts';
import { ACCOUNT_OPERATIONS, OPEN_OPERATIONS, TEXT_OPERATIONS } from './operations/account-operations.ts';
import { IMAGE_OPERATIONS } from './operations/image-operations.ts';
import { VIDEO_OPERATIONS } from './operations/video-operations.ts';

type Named = Readonly<Record<string, z.ZodType>>;

const REQUESTS: Named = {
  ChatRequest: chatRequest,
  ResponsesRequest: responsesRequest,
  MessagesRequest: messagesRequest,
  ImageGenerationRequest: imageGenerationRequest,
  ImageEditRequest: imageEditRequest,
  VideoRequest: videoRequest,
};

const ANSWERS: Named = {
  ModelError: modelError,
  MessagesError: messagesError,
  AccountError: accountError,
  ModelList: modelList,
  Pricebook: priceBook,
  ApiDescription: apiDescription,
  ChatCompletion: chatCompletion,
  ChatCompletionChunk: chatCompletionChunk,
  Response: responseObject,
  ResponseStreamEvent: responseStreamEvent,
  Message: messageObject,
  MessageStreamEvent: messageStreamEvent,
  ImageResponse: imageResponse,
  ImageJob: imageJob,
  VideoTask: videoTask,
  UsageTotals: usageTotalsAnswer,
  UsageRecord: usageRecord,
  UsagePage: usagePageAnswer,
  Account: accountAnswer,
};

const FORM_SUFFIX = 'Form';

/** `components.schemas`; a request that may come as a form stands a second time with its fields as a form has them. */
export function componentSchemas(): Record<string, JsonSchema> {
  return {
    ...converted(REQUESTS, 'input', [WIRE_FORM]),
    ...renamed(converted(FORMS, 'input', [WIRE_FORM, FORM_FIELD])),
    ...converted(ANSWERS, 'output', [WIRE_FORM]),
  };
}

const FORMS: Named = {
  ImageGenerationRequest: imageGenerationRequest,
  ImageEditRequest: imageEditRequest,
  VideoRequest: videoRequest,
};

/** `$ref` to a schema of `componentSchemas`. */
export function schemaRef(schema: z.ZodType, form = false): JsonSchema {
  const found = [...Object.entries(REQUESTS), ...Object.entries(ANSWERS)].find(([, held]) => held === schema);
  if (found === undefined) throw new Error('a schema of the description has no name');
  return { $ref: refTo(form ? `${found[0]}${FORM_SUFFIX}` : found[0]) };
}

/** The schema itself, for parameters. */
export function inlineSchema(schema: z.ZodType): JsonSchema {
  return bare(z.toJSONSchema(schema, { io: 'input', override: replaceBy([WIRE_FORM]) }));
}

function converted(
  named: Named,
  io: 'input' | 'output',
  forms: readonly (typeof WIRE_FORM)[],
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, uri: refTo, override: replaceBy(forms) });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, bare(schema)]));
}

function renamed(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [`${id}${FORM_SUFFIX}`, schema]));
}

function refTo(id: string): string {
  return `#/components/schemas/${id}`;
}

/** Where a schema has a form of its own, that is the whole of it; the last registry that knows it decides. */
function replaceBy(forms: readonly (typeof WIRE_FORM)[]) {
  return ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void => {
    const form = forms.map((registry) => registry.get(zodSchema)).findLast((held) => held !== undefined);
    if (form === undefined) return;
    for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
    Object.assign(jsonSchema, form);
  };
}

/** OpenAPI 3.1 names the dialect once for the whole document. */
function bare(schema: object): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema' && name !== '$id'));
}

/** Every endpoint of the service: the 18 of interface §4, the files behind links, and the description itself. */
export const OPERATIONS: readonly Operation[] = [
  ...OPEN_OPERATIONS,
  ...TEXT_OPERATIONS,
  ...IMAGE_OPERATIONS,
  ...VIDEO_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
];
