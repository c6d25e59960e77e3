import * as z from 'zod';
import { permission } from './config-schema.ts';
import { wholeBetween } from './key-schemas.ts';
import { readSetting } from './layers.ts';
import { moneySetting } from './money-text.ts';
import type { Problem } from './problem.ts';
import type { Permission } from './resolved-config.ts';

/** Flags that allow a load on a target of others, and bound it where nothing has a price; as typed. */
export interface GuardFlags {
  readonly permission?: string;
  readonly maxCalls?: string;
  readonly assumeUsdPerCall?: string;
}

type PermissionFile = z.infer<typeof permission>;

export interface Guards {
  readonly permission: PermissionFile | undefined;
  readonly max_calls: number | undefined;
  readonly assume_usd_per_call: string | undefined;
}

/** `NAME:DATE`; what it allows is what the same command plans. */
const permissionFlag = z
  .string()
  .regex(/^.+:\d{4}-\d{2}-\d{2}$/, {
    error: 'must be who allowed it and until when, such as "ops:2026-12-31"',
  })
  .transform((text) => ({ by: text.slice(0, -11), until: text.slice(-10) }))
  .pipe(permission);

const callCount = z
  .string()
  .regex(/^\d{1,10}$/, { error: 'must be a whole number of calls' })
  .transform(Number)
  .pipe(wholeBetween(1, 1_000_000_000));

export function readGuards(flags: GuardFlags, problems: Problem[]): Guards {
  const { permission: by, maxCalls, assumeUsdPerCall } = flags;
  return {
    permission: readSetting('--permission', by, permissionFlag, problems),
    max_calls: readSetting('--max-calls', maxCalls, callCount, problems),
    assume_usd_per_call: readSetting('--assume-usd-per-call', assumeUsdPerCall, moneySetting, problems),
  };
}

export function permissionOf(given: PermissionFile | undefined): Permission | null {
  if (given === undefined) return null;
  const { by, until, max_rps = null, max_in_flight = null } = given;
  return { by, until, max_rps, max_in_flight };
}
