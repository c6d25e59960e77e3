import * as z from 'zod';
import { contentText, type PromptMessage } from '../tokens/prompt-message.ts';

/** interface §2: `role` and `content` are both required, `content` is any JSON value. */
export const messageSchema = z
  .looseObject({ role: z.string().min(1), content: z.unknown() })
  .refine((message) => 'content' in message, { path: ['content'], error: 'is required' })
  .transform((message): PromptMessage => ({ role: message.role, text: contentText(message.content) }));

/** The model id of a request, in any format. */
export const modelField = z.string({ error: 'is required and must be a string' }).min(1);

export const tokenLimit = z.int().min(1).nullish();

/** A tier that the model does not have is served at the default one, and the answer says so. */
export const serviceTierField = z.string().nullish();
