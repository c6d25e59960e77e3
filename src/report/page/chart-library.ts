import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** uPlot as it is installed, to be put into the page: a report opens offline. MIT, its notice is inside. */
export function chartLibrary(): { readonly script: string; readonly style: string } {
  const { resolve } = createRequire(import.meta.url);
  return {
    script: readFileSync(resolve('uplot/dist/uPlot.iife.min.js'), 'utf8'),
    style: readFileSync(resolve('uplot/dist/uPlot.min.css'), 'utf8'),
  };
}
