import type { TimeScale } from '../time-scale.ts';

/** What a panel draws; how it is drawn follows from its kind. */
export type PanelKind =
  | 'timeseries'
  | 'stacked'
  | 'stat'
  | 'table'
  | 'state'
  | 'bargauge'
  | 'gauge'
  | 'heatmap';

export interface PanelSpec {
  readonly title: string;
  readonly description: string;
  /** Of Grafana's list of units; `short`, a plain count, unless given. */
  readonly unit?: string;
  /** `timeseries` unless given. */
  readonly kind?: PanelKind;
  /** Of 24 columns; half of them unless given. */
  readonly width?: 8 | 24;
  /** Each by its legend. */
  readonly queries: Readonly<Record<string, string>>;
  /** Said in place of a value where there is none and that is no fault. */
  readonly noValue?: string;
}

export interface BoardSpec {
  /** Part of its address in Grafana, and of its file name. */
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  /** Probe panels, which are usual, are chosen by job, instance and target; load panels by the run's `testid`. */
  readonly family?: 'load';
  readonly panels: (time: TimeScale) => readonly PanelSpec[];
}
