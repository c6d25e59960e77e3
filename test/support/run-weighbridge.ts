import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

export const ROOT = resolve(import.meta.dirname, '../..');
const ENTRY = join(ROOT, 'bin/weighbridge.mjs');

export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of a command under test: ours without anything that would configure it. */
export function cleanEnv(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('WEIGHBRIDGE_') || name === 'WEIGHBRIDGE_K6',
  );
  return { ...Object.fromEntries(kept), ...extra };
}

/** What outlives a run shall not stand in the project, unless a test says where. */
function withState(args: readonly string[]): readonly string[] {
  const keeps = ['audit', 'run', 'reconcile'].includes(args[0] ?? '') && !args.includes('--state');
  return keeps ? [...args, '--state', join(tmpdir(), 'weighbridge-e2e-state')] : args;
}

/** Runs the real command line as a process of its own, to its end. */
export function runWeighbridge(
  args: readonly string[],
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly cwd?: string;
    readonly onStart?: (child: ChildProcess) => void;
  } = {},
): Promise<Finished> {
  const child = spawn(process.execPath, [ENTRY, ...withState(args)], {
    cwd: options.cwd ?? ROOT,
    env: cleanEnv(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  options.onStart?.(child);
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (status) => done({ status, stdout, stderr }));
  });
}

const verdictSchema = z.object({
  run_id: z.string(),
  dir: z.string(),
  result: z.string(),
  exit_codes: z.array(z.number()),
});

/** The last line of a `--json` command. */
export function verdictOf(finished: Finished): z.infer<typeof verdictSchema> {
  const last = finished.stdout.trimEnd().split('\n').at(-1) ?? '';
  return verdictSchema.parse(JSON.parse(last));
}

/** A folder that goes when the test ends. */
export function scratchDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-e2e-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export function readNdjson<T>(path: string, schema: z.ZodType<T>): T[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => schema.parse(JSON.parse(line)));
}

export function listFiles(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The one committed sample run. */
export function sampleFolder(): string {
  const samples = join(ROOT, 'reports/sample');
  const [name, ...more] = readdirSync(samples);
  if (name === undefined || more.length > 0) throw new Error(`expected one run in ${samples}`);
  return join(samples, name);
}
