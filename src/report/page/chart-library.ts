import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export interface ChartLibrary {
  readonly script: string;
  readonly style: string;
  /** Its licence whole, as the licence asks of whoever passes the code on, which whoever sends a report does. */
  readonly notice: string;
}

/** uPlot as it is installed, to be put into the page: a report opens offline. */
export function chartLibrary(): ChartLibrary {
  const { resolve } = createRequire(import.meta.url);
  const read = (file: string): string => readFileSync(resolve(`uplot/${file}`), 'utf8');
  return {
    script: read('dist/uPlot.iife.min.js'),
    style: read('dist/uPlot.min.css'),
    notice: read('LICENSE').trimEnd(),
  };
}
