/** A bug that a gateway really had, or a course of events that tests ask for, as a fault plan with a name. */
export interface Scenario {
  /** Kebab case; plans and `--faults scenario:NAME` use it. */
  readonly name: string;
  readonly what_happened: string;
  /** Where it is told; null for what tests ask for. */
  readonly source: string | null;
  /** Entries as a plan writes them; parsed by its schema. */
  readonly faults: readonly {
    readonly fault: string;
    readonly select?: Readonly<Record<string, string | boolean>>;
    readonly when: Readonly<Record<string, number>>;
    readonly parameters?: Readonly<Record<string, string | number | boolean>>;
  }[];
}
