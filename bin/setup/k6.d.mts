import type { Step } from './step.mjs';

type Env = Readonly<Record<string, string | undefined>>;

export function k6Step(root: string, env: Env): Step;
export function builtK6(root: string, env: Env): string;
export function sourceHash(root: string): string;
export const K6_FILE: string;
export const BUILD_FLAGS: readonly string[];
