import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../../config/load-config.ts';
import { EXIT } from '../../core/exit-code.ts';
import { resolvePlan } from '../../plan/resolve-plan.ts';
import { newNonce, newRunId } from '../../plan/run-id.ts';
import { planLines } from '../plan-lines.ts';
import type { Terminal } from '../terminal.ts';
import { openTarget, readOffer } from '../weighed-target.ts';
import { type PlanFlags, planOptions, settingsOf } from './plan-options.ts';

export function planCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  planOptions(
    program.command('plan').description('show what a run would call and cost; sends no paid call'),
  ).action(async (flags: PlanFlags) => {
    const config = loadConfig({ file: flags.config, env: terminal.env, flags: settingsOf(flags) });
    const now = Date.now();
    const runId = newRunId(now);
    const weighed = await openTarget(
      config,
      terminal.env,
      { faults: null, journal: null, readings: null },
      new AbortController().signal,
      runId,
    );
    const scratch = mkdtempSync(join(tmpdir(), 'weighbridge-plan-'));
    try {
      const offer = await readOffer(weighed, scratch);
      const resolved = resolvePlan({
        config,
        target: weighed.target,
        book: offer.book,
        listedModels: offer.models,
        runId,
        nonce: newNonce(),
        now,
        // One asks here what the cap of a run must be, and nothing paid is sent.
        cap: 'optional',
      });
      // The starts of a trace are the file's, not what one asks here.
      const { replay: _starts, ...shown } = resolved;
      if (flags.json === true) terminal.out(JSON.stringify(shown, null, 2));
      else for (const line of planLines(resolved, config)) terminal.out(line);
      finish(EXIT.ok);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
      await weighed.close();
    }
  });
}
