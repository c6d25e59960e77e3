import type { Step } from './step.mjs';

export function k6Step(root: string, env: Readonly<Record<string, string | undefined>>): Step;
