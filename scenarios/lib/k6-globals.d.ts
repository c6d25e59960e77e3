/** A global of k6 that @types/k6 leaves to the DOM library. */
declare const console: { log(text: string): void };
