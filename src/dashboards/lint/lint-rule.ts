import type { LintedBoard } from './board-model.ts';

/** Says what is wrong with a query, or null. Promtool in the tests: nothing else reads PromQL as Prometheus does. */
type ParseQuery = (expr: string) => string | null;

/** A rule of Grafana's dashboard-linter, under its name there. */
export interface LintRule {
  readonly name: string;
  /** What is wrong, a line each; nothing where all is well. */
  readonly check: (board: LintedBoard, parse: ParseQuery) => readonly string[];
}
