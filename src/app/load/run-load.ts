import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Credentials } from '../../config/credentials.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { Plan } from '../../contracts/plan.ts';
import type { Engine } from '../../drive/locate-k6.ts';
import { type DriveEnd, startDrive } from '../../drive/start-drive.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { markEngine, unmarkEngine } from '../../state/running-mark.ts';
import { plural } from '../../text/plural.ts';
import type { LiveRun } from '../live/live-run.ts';
import type { Interrupts, Notices } from '../notices/notices.ts';
import type { KeptCredit } from './keep-credit.ts';
import type { LoadOutputs } from './load-outputs.ts';
import { confirmEngine } from './ready-engine.ts';

export interface LoadOptions {
  readonly plan: Plan;
  readonly runDir: string;
  /** `<state>/<target>`; null for the embedded gateway. */
  readonly home: string | null;
  readonly k6: Engine;
  /** Names the plan file and the ledger files. */
  readonly instance: string;
  readonly planFile: string;
  readonly credentials: Credentials;
  readonly outputs: LoadOutputs;
  readonly interrupts: Interrupts;
  /** Null where no credit is to be kept. */
  readonly credit: KeptCredit | null;
  readonly live: LiveRun;
  readonly notices: Notices;
}

/** Drives one plan with k6 and shows its progress. Ctrl-C once drains, twice stops. */
export async function runLoad(options: LoadOptions): Promise<DriveEnd> {
  const { plan, notices, home } = options;
  await confirmEngine(options.k6, notices.env);
  const planPath = join(options.runDir, options.planFile);
  replaceFile(planPath, `${JSON.stringify(plan, null, 2)}\n`);
  const script = scenarioScript();
  const drive = await startDrive({
    k6: options.k6.path,
    script: script.path,
    planPath,
    runDir: options.runDir,
    instance: options.instance,
    outputs: options.outputs.outputs,
    // The instance parts the trial and the steps of a search from one another, which count from 0 each.
    tags: { testid: plan.run_id, target_name: plan.target.name, instance: options.instance },
    env: {
      ...withCredentials(notices.env, options.credentials, plan.target.headers ?? {}),
      ...options.outputs.env,
    },
    ...options.live.load(plan, options.instance),
  }).catch((error: unknown) => {
    script.remove();
    throw error;
  });
  if (home !== null && drive.pid !== null) markEngine(home, plan.run_id, drive.pid);
  const release = options.interrupts.onSignal((count) => {
    if (count === 1) {
      notices.err(
        'draining: no further calls are started, and calls in flight finish. Press Ctrl-C again to cancel them.',
      );
      drive.halt('interrupted');
    } else {
      notices.err('stopping: calls in flight are cancelled');
      drive.stop();
    }
  });
  const letGo = options.credit?.guard(drive);
  const end = await drive.finished.finally(() => {
    release();
    letGo?.();
    script.remove();
    if (home !== null) unmarkEngine(home);
  });
  const { failedPushes: failed } = end;
  if (failed > 0) notices.err(`${plural(failed, 'push', 'pushes')} of metrics failed. See run.log.`);
  return end;
}

const PASSED_ON: readonly string[] = ['WEIGHBRIDGE_DURABILITY', 'WEIGHBRIDGE_CA_FILE'];

/**
 * k6 calls with the API keys, one a line, and with the headers whose values it reads itself. The token it needs to know
 * where a target repeats it.
 */
function withCredentials(
  env: Readonly<Record<string, string | undefined>>,
  credentials: Credentials,
  headers: NonNullable<Plan['target']['headers']>,
): Record<string, string | undefined> {
  const named = Object.values(headers).map((reference) => reference.replace(/^env:/, ''));
  const kept = Object.entries(env).filter(
    ([name]) => !name.startsWith('WEIGHBRIDGE_') || PASSED_ON.includes(name) || named.includes(name),
  );
  return {
    ...Object.fromEntries(kept),
    WEIGHBRIDGE_API_KEY: credentials.apiKey === null ? undefined : credentials.apiKeys.join('\n'),
    WEIGHBRIDGE_ACCESS_TOKEN: credentials.accessToken ?? undefined,
  };
}

/**
 * The script that drives a plan, as one file: each virtual user evaluates every module anew. The package ships it
 * bundled beside the compiled command line; in a clone it is bundled from the sources, so that no run uses a stale one.
 */
function scenarioScript() {
  if (!import.meta.url.endsWith('.ts')) {
    return {
      path: fileURLToPath(new URL('../../scenarios/mixed.js', import.meta.url)),
      remove: () => undefined,
    };
  }
  const folder = mkdtempSync(join(tmpdir(), 'weighbridge-scenarios-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const bundler = fileURLToPath(new URL('../../../scripts/bundle-scenarios.ts', import.meta.url));
  const done = spawnSync(process.execPath, [bundler, folder], { encoding: 'utf8' });
  if (done.status === 0) return { path: join(folder, 'mixed.js'), remove };
  remove();
  throw new WeighbridgeError({
    code: 'scenarios_not_bundled',
    message: `The scenario scripts could not be bundled: ${done.error?.message ?? done.stderr.trim()}`,
    hint: 'Correct the scripts in scenarios/. If esbuild is missing, run `npm run setup`.',
  });
}
