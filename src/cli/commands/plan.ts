import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../../config/load-config.ts';
import { EXIT } from '../../core/exit-code.ts';
import { type ResolvedPlan, resolvePlan } from '../../plan/resolve-plan.ts';
import { newNonce, newRunId } from '../../plan/run-id.ts';
import type { Terminal } from '../terminal.ts';
import { openTarget, readOffer } from '../weighed-target.ts';
import { type PlanFlags, planOptions, settingsOf } from './plan-options.ts';

export function planCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  planOptions(
    program.command('plan').description('show what a run would call and cost; sends no paid call'),
  ).action(async (flags: PlanFlags) => {
    const config = loadConfig({ file: flags.config, env: terminal.env, flags: settingsOf(flags) });
    const weighed = await openTarget(config, terminal.env, { faults: null, journal: null });
    const scratch = mkdtempSync(join(tmpdir(), 'weighbridge-plan-'));
    try {
      const offer = await readOffer(weighed, scratch);
      const now = Date.now();
      const resolved = resolvePlan({
        config,
        target: weighed.target,
        book: offer.book,
        listedModels: offer.models,
        runId: newRunId(now),
        nonce: newNonce(),
        now,
      });
      if (flags.json === true) terminal.out(JSON.stringify(resolved, null, 2));
      else for (const line of planLines(resolved)) terminal.out(line);
      finish(EXIT.ok);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
      await weighed.close();
    }
  });
}

function planLines(resolved: ResolvedPlan): string[] {
  const { plan, chosen, forecast, notes, origins } = resolved;
  const usd = (amount: string | null): string => (amount === null ? 'unpriced' : `$${amount}`);
  return [
    `target ${plan.target.name} (${plan.target.root}), ${plan.target.key} key, plan ${plan.plan_hash.slice(0, 12)}, seed ${plan.workload.seed}`,
    ...forecast.scenarios.map((row) => {
      const choice = chosen.find((entry) => entry.scenario === row.scenario);
      const tokens =
        row.output_tokens === null
          ? ''
          : `, ${row.input_tokens} tokens in and at most ${row.output_tokens} out`;
      return `${row.scenario}: ${row.calls} calls of ${choice?.model ?? '?'} (${choice?.why ?? '?'})${tokens}, expected ${usd(row.expected_usd)}, worst case ${usd(row.worst_case_usd)}`;
    }),
    ...plan.stopped.map((entry) => `${entry.scenario}: stopped: ${entry.reason}`),
    `total: ${forecast.total.calls} calls, expected ${usd(forecast.total.expected_usd)}, worst case ${usd(forecast.total.worst_case_usd)}, held at once at most ${usd(forecast.total.held_usd)}, cap ${plan.cap.max_spend_usd === null ? 'none (embedded gateway)' : usd(plan.cap.max_spend_usd)}`,
    ...notes,
    'where each value comes from:',
    ...Object.entries(origins).map(([path, origin]) => `  ${path}: ${origin}`),
  ];
}
