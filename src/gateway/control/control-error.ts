/** A refusal of the control API: `{error, code}` and a status. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function notThere(what: string): ControlError {
  return new ControlError(404, 'not_found', what);
}
