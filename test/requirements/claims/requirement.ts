/** A claim of the interface that can be tested. */
export interface Requirement {
  /** By area, dotted, in snake case; cited by cases and breaks. */
  readonly id: string;
  /** Where the interface makes it. */
  readonly source: string;
  /** In our own words. */
  readonly says: string;
}
