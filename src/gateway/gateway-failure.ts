import type { WeighbridgeError } from '../contracts/failure.ts';

/** What ends a gateway for good: a file that it has to write can no longer be written. */
export class GatewayFailure {
  #error: WeighbridgeError | null = null;
  #tell: (error: WeighbridgeError) => void = () => {};
  /** Resolves with the first failure; it may never come. */
  readonly happened: Promise<WeighbridgeError>;

  constructor() {
    this.happened = new Promise((resolve) => {
      this.#tell = resolve;
    });
  }

  /** The first one, or null. */
  get error(): WeighbridgeError | null {
    return this.#error;
  }

  readonly fail = (error: WeighbridgeError): void => {
    this.#error ??= error;
    this.#tell(error);
  };
}
