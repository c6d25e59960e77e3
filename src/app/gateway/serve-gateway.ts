import { readFileSync } from 'node:fs';
import { nearestName } from '../../config/nearest-name.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { type ListedParameter, listFaults } from '../../gateway/faults/fault-list.ts';
import { type FaultPlan, faultsOfScenario } from '../../gateway/faults/fault-plan.ts';
import { readFaultPlan } from '../../gateway/faults/read-fault-plan.ts';
import { SCENARIOS } from '../../gateway/faults/scenarios/scenarios.ts';
import type { ChargeEffect } from '../../gateway/hooks/fault-definition.ts';
import { dialectLines, readWorn } from '../../gateway/hooks/worn.ts';
import type { LatencyModel } from '../../gateway/latency/latency-model.ts';
import { LATENCY_PRESETS, latencyOf } from '../../gateway/latency/latency-preset.ts';
import { readLatency } from '../../gateway/latency/read-latency.ts';
import { quirkLines, readQuirks } from '../../gateway/plain/quirks.ts';
import { readReadings } from '../../gateway/readings/read-readings.ts';
import type { Readings } from '../../gateway/readings/readings.ts';
import type { GatewayOptions, RunningGateway } from '../../gateway/start-gateway.ts';

/** What `gateway` was asked for, as its flags say it. */
export interface GatewayRequest {
  readonly port: number;
  readonly seed: number;
  readonly faults?: string;
  readonly journal?: string;
  /** False with `--no-fault-header`. */
  readonly faultHeader: boolean;
  readonly latency: string;
  readonly readings?: string;
  readonly data?: string;
  readonly upstream?: boolean;
  readonly plain?: boolean;
  readonly dialect: string;
  readonly quirks?: string;
}

/** Serves until it is closed. Throws `port_taken` and `file_unwritable` (exit 2), and what its files are refused for. */
export async function serveGateway(request: GatewayRequest): Promise<RunningGateway> {
  const options = optionsOf(request);
  // Here alone: its tables of tokens are 30 MB, which every other command would hold, and a daemon would mark again and again.
  const { startGateway } = await import('../../gateway/start-gateway.ts');
  try {
    return await startGateway(options);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null;
    if (code === 'EADDRINUSE' || code === 'EACCES') {
      throw new WeighbridgeError({
        code: 'port_taken',
        message: `Another program already uses port ${request.port} of 127.0.0.1.`,
        hint: 'Give another port with --port, or --port 0 for any free port.',
        cause,
      });
    }
    if (request.journal !== undefined && (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR')) {
      throw new WeighbridgeError({
        code: 'file_unwritable',
        message: `The journal ${request.journal} cannot be written: ${code}.`,
        hint: 'Correct the path of --journal. Its folder must exist.',
        cause,
      });
    }
    throw cause;
  }
}

function optionsOf(request: GatewayRequest): GatewayOptions {
  const { port, seed, faults, faultHeader, journal, latency, readings, data, upstream } = request;
  return {
    port,
    seed,
    faultHeader,
    latency: latencyModelOf(latency),
    ...(faults === undefined ? {} : { faults: faultPlanOf(faults) }),
    ...(journal === undefined ? {} : { journalPath: journal }),
    ...(readings === undefined ? {} : { readings: readingsOf(readings) }),
    ...(data === undefined ? {} : { dataDir: data }),
    ...(upstream === undefined ? {} : { upstream }),
    ...mannersOf(request),
  };
}

/** What it is instead of the interface: a server without a bill, or another gateway. */
function mannersOf({ plain, dialect, quirks }: GatewayRequest): Pick<GatewayOptions, 'quirks' | 'worn'> {
  if (plain === true && dialect !== 'interface') {
    throw new WeighbridgeError({
      code: 'quirk_invalid',
      message: `--plain and --dialect ${dialect} cannot be used together.`,
      hint: 'Leave one of them out. --plain is a server without a bill, and a dialect is a form of bill.',
    });
  }
  if (quirks !== undefined && plain !== true && dialect === 'interface') {
    throw new WeighbridgeError({
      code: 'quirk_invalid',
      message: '--quirks needs --plain or --dialect.',
      hint: 'Add --plain or --dialect NAME. Each quirk belongs to one of them.',
    });
  }
  if (plain === true) return { quirks: readQuirks(quirks ?? '') };
  const worn = readWorn(dialect, quirks ?? '');
  return worn === null ? {} : { worn };
}

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
    message: `There is no fault scenario "${name}".${near === null ? '' : ` Did you mean "${near}"?`}`,
    hint: 'Run weighbridge gateway --list-faults. It lists every name.',
  });
}

/** `--latency`: a preset, or a plan in a file. Throws `config_invalid` or `latency_unknown`. */
function latencyModelOf(argument: string): LatencyModel {
  const preset = LATENCY_PRESETS.find((name) => name === argument);
  if (preset !== undefined) return latencyOf(preset);
  // A bare word is a misspelt preset sooner than a file.
  if (!/[./\\]/.test(argument)) {
    const near = nearestName(argument, LATENCY_PRESETS);
    const meant = near === null ? '' : ` Did you mean ${near}?`;
    throw new WeighbridgeError({
      code: 'latency_unknown',
      message: `--latency must be ${LATENCY_PRESETS.join(', ')} or a file, but it is "${argument}".${meant}`,
      hint: 'Give one of these names, or a path with a dot or a slash, such as latency.yaml.',
    });
  }
  return readLatency(fileOf(argument, '--latency'));
}

function readingsOf(file: string): Readings {
  return readReadings(fileOf(file, '--readings'));
}

function fileOf(file: string, flag: string): { text: string; file: string } {
  try {
    return { text: readFileSync(file, 'utf8'), file };
  } catch (cause) {
    throw new WeighbridgeError({
      code: 'file_unreadable',
      message: `The file ${file} of ${flag} does not exist or cannot be read.`,
      hint: `Correct the path of ${flag}.`,
      cause,
    });
  }
}

const CHARGE: { readonly [E in ChargeEffect]: string } = {
  charged: 'as usual',
  not_charged: 'not charged',
  wrong: 'wrong',
  none: 'no effect',
  varies: 'by parameter',
};

/** What `--list-faults` prints for a reader: a row for each fault, below it what it hits and its parameters; the scenarios. */
export function faultCatalogueLines(): string[] {
  const faults = listFaults();
  const idWidth = Math.max(...faults.map(({ id }) => id.length));
  const chargeWidth = Math.max(...Object.values(CHARGE).map((text) => text.length));
  const row = (id: string, charge: string, text: string): string =>
    `${id.padEnd(idWidth)}  ${charge.padEnd(chargeWidth)}  ${text}`;
  return [
    row('FAULT', 'CHARGE', 'WHAT THE GATEWAY DOES'),
    ...faults.flatMap((fault) => [
      row(fault.id, CHARGE[fault.charge], plain(fault.summary)),
      `    hits ${plain(fault.hits)}`,
      ...fault.parameters.map(parameterLine),
    ]),
    '',
    'SCENARIOS: --faults scenario:NAME',
    ...SCENARIOS.flatMap(({ name, what_happened, source }) => [
      name,
      `    ${what_happened}${source === null ? '' : ` (${source})`}`,
    ]),
  ];
}

function parameterLine({ name, takes, default: usual, description }: ListedParameter): string {
  const given = usual === null ? 'has to be given' : `default ${JSON.stringify(usual)}`;
  return `    ${name} (${plain(takes)}; ${given}): ${plain(description)}`;
}

/** The texts are written for pages, where names stand in backticks. */
function plain(text: string): string {
  return text.replaceAll('`', '');
}

/** What `--help` says of quirks. */
export function quirkHelp(): string {
  return ['', 'Quirks of --plain:', ...quirkLines(), '', 'Quirks of --dialect:', ...dialectLines()].join(
    '\n',
  );
}

/** The same as data: faults, then scenarios, told apart by `kind`. */
export function faultCatalogue(): readonly object[] {
  return [
    ...listFaults().map((fault) => ({ kind: 'fault', ...fault })),
    ...SCENARIOS.map((scenario) => ({ kind: 'scenario', ...scenario })),
  ];
}
