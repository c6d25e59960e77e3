import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { isDefaultPlan, loadConfig } from '../../config/load-config.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { setValues } from '../../config/set-values.ts';
import { EXIT } from '../../core/exit-code.ts';
import type { ForecastRow } from '../../plan/forecast.ts';
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
    const weighed = await openTarget(
      config,
      terminal.env,
      { faults: null, journal: null, readings: null },
      new AbortController().signal,
    );
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
        // One asks here what the cap of a run must be, and nothing paid is sent.
        cap: 'optional',
      });
      if (flags.json === true) terminal.out(JSON.stringify(resolved, null, 2));
      else for (const line of planLines(resolved, config)) terminal.out(line);
      finish(EXIT.ok);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
      await weighed.close();
    }
  });
}

/** The plan for a reader: what is called, what it costs at most, what was changed unasked, and who set what. */
export function planLines(resolved: ResolvedPlan, config: ResolvedConfig): string[] {
  const { plan, chosen, forecast, notes } = resolved;
  const { total } = forecast;
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
    `total: ${total.calls} calls, expected ${usd(total.expected_usd)}, worst case ${usd(total.worst_case_usd)}`,
    `held at once: at most ${usd(total.held_usd)}, the worst case of the calls that can be in flight together`,
    `cap ${capText(plan, total)}`,
    ...notes.map((note) => `note: ${note}`),
    ...originLines(config),
  ];
}

function capText({ cap, target }: ResolvedPlan['plan'], total: ForecastRow): string {
  if (cap.max_spend_usd !== null) return usd(cap.max_spend_usd);
  if (target.embedded) return 'none (embedded gateway)';
  return `none yet: a run needs --max-spend-usd of at least ${usd(total.held_usd)}`;
}

function originLines(config: ResolvedConfig): string[] {
  const source = isDefaultPlan(config.file) ? 'the default plan' : config.file;
  return [
    `configuration: ${source}`,
    ...setValues(config).map(({ path, value, origin }) => `  ${path} = ${value} (${origin})`),
    '  everything else: default',
  ];
}

function usd(amount: string | null): string {
  return amount === null ? 'unpriced' : `$${amount}`;
}
