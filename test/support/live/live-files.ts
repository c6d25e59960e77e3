import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { GatewayUser } from './gateway-control.ts';
import { AUDITED, LIVE_TARGETS, type LiveTarget } from './live-targets.ts';

/** Two daemons, for one that audits its own calls is busy with it. */
export const PARTS = ['service', 'money'] as const;
export type Part = (typeof PARTS)[number];
export type TargetChanges = Partial<Record<LiveTarget, object>>;

/** A target with its user, and where it answers. */
export interface PlacedTarget {
  readonly name: LiveTarget;
  readonly user: GatewayUser;
  readonly url: string;
}

/** Configurations, credentials and certificates of the daemons, in a folder. */
export class LiveFiles {
  readonly #dir: string;
  readonly #targets: readonly PlacedTarget[];

  constructor(dir: string, targets: readonly PlacedTarget[]) {
    this.#dir = dir;
    this.#targets = targets;
  }

  configOf(part: Part): string {
    return join(this.#dir, `${part}.yaml`);
  }

  stateOf(part: Part): string {
    return join(this.#dir, `${part}-state`);
  }

  /** Puts another key in the place of that of `shrinking`, the one key that stands in a file. */
  readonly useKey = (key: string): void => writeFileSync(this.#keyFile, key);

  trust(certificate: string): void {
    writeFileSync(this.#roots, certificate);
  }

  /** Writes the configuration anew, with other settings of some targets. */
  configure(part: Part, changes: TargetChanges): void {
    const targets = this.targetsOf(part).map(({ name, url }) => ({
      name,
      url,
      key: name === 'shrinking' ? `file:${this.#keyFile}` : `env:KEY_${name}`,
      access_token: `env:TOKEN_${name}`,
      user_id: `env:USER_${name}`,
      budget: { usd_per_hour: '1000', usd_per_day: '5000' },
      negative: { rules: [] },
      ...LIVE_TARGETS[name],
      ...changes[name],
    }));
    const reconcile = part === 'money' ? '100m' : '720h';
    // A list of 500 models is beyond the limit, all that the targets need is below.
    const probe = { series_limit: 480, reconcile, drain: '2s', targets };
    writeFileSync(this.configOf(part), stringify({ version: 1, probe }));
  }

  targetsOf(part: Part): readonly PlacedTarget[] {
    return this.#targets.filter(({ name }) => AUDITED.includes(name) === (part === 'money'));
  }

  env(): Readonly<Record<string, string>> {
    const credentials = this.#targets.flatMap(({ name, user }) => [
      [`KEY_${name}`, user.api_key],
      [`TOKEN_${name}`, user.access_token],
      [`USER_${name}`, String(user.user_id)],
    ]);
    return { ...Object.fromEntries(credentials), WEIGHBRIDGE_CA_FILE: this.#roots };
  }

  get #roots(): string {
    return join(this.#dir, 'roots.pem');
  }

  get #keyFile(): string {
    return join(this.#dir, 'shrinking.key');
  }
}
