#!/usr/bin/env node
// Plain JavaScript for Node 20: this runs before anything is installed, and must not import a dependency.
import { fileURLToPath } from 'node:url';
import { dependenciesStep } from './setup/dependencies.mjs';
import { k6Step } from './setup/k6.mjs';
import { runSteps, SetupError } from './setup/step.mjs';
import { testSteps } from './setup/test-steps.mjs';

const KNOWN = ['--skip-k6', '--tests'];

const flags = process.argv.slice(2);
const root = fileURLToPath(new URL('..', import.meta.url));

try {
  const unknown = flags.find((flag) => !KNOWN.includes(flag));
  if (unknown !== undefined) throw new SetupError(`There is no flag ${unknown}. Use ${KNOWN.join(' or ')}.`);
  const steps = [dependenciesStep(root)];
  if (!flags.includes('--skip-k6')) steps.push(k6Step(root, process.env));
  if (flags.includes('--tests')) steps.push(...testSteps(root, process.env));
  // Progress goes to stderr: `npm start -- --json` keeps stdout for the result.
  await runSteps(steps, (line) => console.error(line));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`set-up: ${error.message}\n code: setup_failed (docs/errors.md#setup_failed)`);
  process.exitCode = error.exitCode;
}
