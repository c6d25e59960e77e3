import { readFileSync } from 'node:fs';
import { nearestName } from '../../config/nearest-name.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { type FaultPlan, faultsOfScenario } from '../../gateway/faults/fault-plan.ts';
import { readFaultPlan } from '../../gateway/faults/read-fault-plan.ts';
import { SCENARIOS } from '../../gateway/faults/scenarios/scenarios.ts';
import type { LatencyModel } from '../../gateway/latency/latency-model.ts';
import { LATENCY_PRESETS, latencyOf } from '../../gateway/latency/latency-preset.ts';
import { readLatency } from '../../gateway/latency/read-latency.ts';
import { readReadings } from '../../gateway/readings/read-readings.ts';
import type { Readings } from '../../gateway/readings/readings.ts';

const SCENARIO = /^scenario:(.*)$/;

/** `--faults`: a plan in a file, or `scenario:NAME`. Throws `config_invalid`, `unknown_scenario` or `file_unreadable`. */
export function faultPlanOf(argument: string): FaultPlan {
  const name = SCENARIO.exec(argument)?.[1];
  if (name === undefined) return readFaultPlan(fileOf(argument, '--faults'));
  const names = SCENARIOS.map((scenario) => scenario.name);
  if (names.includes(name)) return { faults: faultsOfScenario(name) };
  const near = nearestName(name, names);
  throw new WeighbridgeError({
    code: 'unknown_scenario',
    message: `expected a scenario, found "${name}"${near === null ? '' : `; did you mean "${near}"?`}`,
    hint: 'weighbridge gateway --list-faults names them all',
  });
}

/** `--latency`: a preset, or a plan in a file. Throws `config_invalid` or `latency_unknown`. */
export function latencyModelOf(argument: string): LatencyModel {
  const preset = LATENCY_PRESETS.find((name) => name === argument);
  if (preset !== undefined) return latencyOf(preset);
  // A bare word is a misspelt preset sooner than a file.
  if (!/[./\\]/.test(argument)) {
    const near = nearestName(argument, LATENCY_PRESETS);
    const meant = near === null ? '' : `; did you mean ${near}?`;
    throw new WeighbridgeError({
      code: 'latency_unknown',
      message: `expected ${LATENCY_PRESETS.join(', ')} or a file, found "${argument}"${meant}`,
      hint: 'a file is named by a path with a dot or a slash, such as latency.yaml',
    });
  }
  return readLatency(fileOf(argument, '--latency'));
}

export function readingsOf(file: string): Readings {
  return readReadings(fileOf(file, '--readings'));
}

function fileOf(file: string, flag: string): { text: string; file: string } {
  try {
    return { text: readFileSync(file, 'utf8'), file };
  } catch (cause) {
    throw new WeighbridgeError({
      code: 'file_unreadable',
      message: `expected a readable file, found none at ${file}`,
      hint: `check the path given to ${flag}`,
      cause,
    });
  }
}
