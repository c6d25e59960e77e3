import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { configPath } from '../../config/load-config.ts';
import { loadProbePlan } from '../../config/load-probe.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { ProbeWatch } from '../../kubernetes/probe-watch.ts';
import { secretReferences } from './secret-references.ts';

export interface WatchRequest {
  /** `--config`. */
  readonly file: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly image: string;
  readonly secret: string;
}

/** The package and a clone have it at the same place. */
const DASHBOARDS = fileURLToPath(new URL('../../../dashboards', import.meta.url));

/** What the daemon's pod needs. Throws `config_invalid` and `target_missing` (exit 2). */
export function watchOf({ file, env, image, secret }: WatchRequest): ProbeWatch {
  const { targets, drain_ms } = loadProbePlan({ file, env, flags: {}, embedded: null, budget: 'needed' });
  if (targets.length === 0) {
    throw new WeighbridgeError({
      code: 'target_missing',
      message:
        'The configuration names no gateway for the daemon. probe.targets and target.url are both missing.',
      hint: 'List the gateways to watch under probe.targets.',
    });
  }
  const references = targets.flatMap(({ key, access_token, user_id }) => [key, access_token, user_id]);
  return {
    image,
    config: readFileSync(configPath({ file, env }), 'utf8'),
    secret: { name: secret, credentials: [], ...secretReferences(references) },
    drainMs: drain_ms,
    ruleGroups: ruleGroups(),
    dashboards: dashboards(),
  };
}

const ruleFile = z.object({ groups: z.array(z.unknown()) });

function ruleGroups(): readonly unknown[] {
  return ruleFile.parse(parse(readFileSync(join(DASHBOARDS, 'rules/weighbridge.rules.yml'), 'utf8'))).groups;
}

function dashboards(): Record<string, string> {
  const folder = join(DASHBOARDS, 'grafana');
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
