import { z } from 'zod';
import { DIALECT_SETTINGS } from '../contracts/dialect.ts';
import { optional } from './key-schemas.ts';

/** The `dialect` of a target, loaded or watched. */
export const dialectKey = optional(
  z.enum(DIALECT_SETTINGS),
  'How it serves usage and prices: interface, new-api, litellm, or plain for a server without a bill. auto looks, and holds to what it saw.',
);
