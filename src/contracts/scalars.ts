import { z } from 'zod';

/** USD as a plain decimal, signed. */
export const amount = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .describe('USD, plain decimal');
export const wholeCount = z.int().min(0);
export const ratio = z.number().min(0).max(1);
