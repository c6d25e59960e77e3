import type { TimeScale } from '../time-scale.ts';

/** `page` wakes somebody, `ticket` waits for the morning, `none` only proves that the path to a person works. */
export type AlertSeverity = 'page' | 'ticket' | 'none';

/** Where a fault most often lies; more than one where the alert cannot tell. */
export type AlertBlame = 'gateway' | 'upstream' | 'network' | 'account' | 'probe';

/** One alert with everything said about it: rules file and runbooks are both made from it. */
export interface AlertRule {
  readonly name: string;
  /** `ticket` unless given. */
  readonly severity?: AlertSeverity;
  /** How long it must hold; absent where a count in the expression does that work. */
  readonly for?: string;
  /**
   * True where a load run of ours can cause it: silent then while one is active on the target. The others are facts that no
   * load brings about (a price, a key that should not open), and a run is no reason to hide them.
   */
  readonly held?: true;
  /**
   * True where a target that answers nothing causes it: silent then while WeighbridgeTargetDown holds, and for half an hour
   * beyond, so that one outage is one alert.
   */
  readonly partOfOutage?: true;
  readonly expr: (time: TimeScale) => string;
  /** One line, with the labels of the alert. */
  readonly summary: string;
  /** What was measured, with the value. */
  readonly description: string;
  readonly meaning: string;
  readonly blame: readonly AlertBlame[];
  /** What to do, in order. */
  readonly first: readonly string[];
}

/** An alert whose severity is said. */
export interface ListedAlert extends AlertRule {
  readonly severity: AlertSeverity;
}

export interface RecordingRule {
  readonly record: string;
  readonly expr: (time: TimeScale) => string;
  readonly meaning: string;
}
