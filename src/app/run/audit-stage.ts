import type { ListenAddress } from '../../config/listen-address.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { Engine } from '../../drive/locate-k6.ts';
import type { BookArchive } from '../../pricebook/archive/archive-index.ts';
import type { CapacityBounds } from '../capacity/capacity-search.ts';
import type { AskedBaseline } from '../compare/hold-baseline.ts';
import type { EmbeddedOptions } from '../gateway/embedded-gateway.ts';
import type { FolderReport } from '../judge/judge-folder.ts';
import type { LiveRun } from '../live/live-run.ts';
import type { KeptCredit } from '../load/keep-credit.ts';
import type { LoadOutputs } from '../load/load-outputs.ts';
import type { Interrupts, Notices } from '../notices/notices.ts';
import type { WeighedTarget } from '../target/weighed-target.ts';

export interface AuditOptions {
  /** `run` drives and measures; `audit` also reads usage and reconciles. */
  readonly mode: 'audit' | 'run';
  readonly config: ResolvedConfig;
  readonly out: string;
  /** Parent of what outlives a run, one folder a target. */
  readonly state: string;
  /** Tells the verdict as soon as it stands, and returns the exit status. */
  readonly tell: (report: FolderReport) => number;
  /** `NAME=VALUE` of each reading that a flag gave. */
  readonly assumed: readonly string[];
  /** Where the live page is served; null for nowhere. */
  readonly ui: ListenAddress | null;
  /** Time to the next run where a schedule starts this one, else null. */
  readonly every_ms: number | null;
  readonly embedded: EmbeddedOptions;
  /** Files with an API key each, which calls take by turns; none: the key of the environment. */
  readonly keyFiles: readonly string[];
  /** Null where no capacity is searched. */
  readonly capacity: CapacityBounds | null;
  /** Null where the run is held against no other. */
  readonly baseline: AskedBaseline | null;
  readonly notices: Notices;
  readonly interrupts: Interrupts;
}

/** What the parts of one run share once its folder is held. */
export interface AuditStage extends AuditOptions {
  readonly weighed: WeighedTarget;
  /** `<state>/<target>`; null for the embedded gateway. */
  readonly home: string | null;
  readonly runDir: string;
  readonly k6: Engine;
  readonly outputs: LoadOutputs;
  readonly startS: number;
  readonly credit: KeptCredit | null;
  /** Undefined where the books of the target are not kept beyond the run. */
  readonly archive: BookArchive | undefined;
  readonly live: LiveRun;
}
