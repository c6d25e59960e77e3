/** Globals of k6 that @types/k6 leaves to the DOM library. */
declare const console: { log(text: string): void; error(text: string): void };
declare function setTimeout(run: () => void, ms: number): number;
