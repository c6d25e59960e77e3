/**
 * What action.yml runs: one audit or load by its inputs, the verdict as job summary, reasons and findings as annotations, the exit
 * status of the command. Credentials come from the environment of the step.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { EXIT } from '../src/contracts/exit-code.ts';
import { resultSchema } from '../src/contracts/result.ts';
import { ActionInputError, actionCommand } from './github-action/action-command.ts';
import { annotation, annotations } from './github-action/annotations.ts';

const BIN = resolve(import.meta.dirname, '../bin/weighbridge.mjs');
/** A job summary ends at 1 MiB. */
const MOST_SUMMARY = 1_000_000;

const answer = z.object({ dir: z.string(), result: z.string() });
const refusal = z.object({
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().nullish() }),
});

try {
  process.exitCode = await main(actionCommand(process.env));
} catch (error) {
  if (!(error instanceof ActionInputError)) throw error;
  console.log(annotation('error', 'Weighbridge', error.message));
  process.exitCode = EXIT.usage;
}

async function main(words: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [BIN, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  // A job that is cancelled drains, as a terminal's Ctrl-C does.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const ended = new Promise<number>((done) =>
    child.once('close', (code, signal) => done(code ?? 128 + constants.signals[signal ?? 'SIGKILL'])),
  );
  const said = await text(child.stdout);
  const status = await ended;
  const last: unknown = JSON.parse(said.trimEnd().split('\n').at(-1) || 'null');
  output('exit-status', `${status}`);
  const refused = refusal.safeParse(last);
  if (refused.success) {
    const { code, message, hint } = refused.data.error;
    console.log(annotation('error', `Weighbridge: ${code}`, hint ? `${message}: ${hint}` : message));
    return status;
  }
  const judged = answer.safeParse(last);
  if (!judged.success) return status;
  const { dir, result } = judged.data;
  for (const line of annotations(resultSchema.parse(JSON.parse(readFileSync(result, 'utf8')))))
    console.log(line);
  append('GITHUB_STEP_SUMMARY', readFileSync(join(dir, 'report.md')).subarray(0, MOST_SUMMARY));
  output('dir', dir);
  output('result', result);
  return status;
}

function output(name: string, value: string): void {
  append('GITHUB_OUTPUT', `${name}=${value}\n`);
}

/** Outside a runner there is no such file. */
function append(variable: string, lines: string | Uint8Array): void {
  const path = process.env[variable] ?? '';
  if (path !== '') appendFileSync(path, lines);
}
