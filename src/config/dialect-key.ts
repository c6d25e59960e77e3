import { z } from 'zod';
import { DIALECT_SETTINGS } from '../contracts/dialect.ts';
import { optional } from './key-schemas.ts';

/** The `dialect` of a target, loaded or watched. */
export const dialectKey = optional(
  z.enum(DIALECT_SETTINGS),
  'How the target serves usage and prices: interface, new-api, litellm, or plain for a server without a bill. auto detects it, and keeps what it detected.',
);
