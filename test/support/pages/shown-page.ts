import type { Page } from 'playwright-core';

/** A page of the project with the data of one case, to be looked at in every size. */
export interface ShownPage {
  /** What its pictures are called. */
  readonly name: string;
  /** Where it is; who serves it ends with the test. */
  readonly address: () => string | Promise<string>;
  /** What must stand there before it is looked at. */
  readonly expected: (page: Page) => Promise<void>;
}
