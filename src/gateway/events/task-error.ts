/** Why a task failed, as its `error` tells (interface §2). */
export interface TaskError {
  readonly code: string;
  readonly message: string;
}
