// Plain JavaScript on Node's own modules: set-up runs before anything is installed.

/** A step that could not be done, with the one line that says what to do. */
export class SetupError extends Error {
  /**
   * @param {string} message
   * @param {number} [exitCode]
   */
  constructor(message, exitCode = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * @typedef {object} Step
 * @property {string} name What is being set up, such as `dependencies`.
 * @property {() => boolean} isReady True when there is nothing to do; must be quick.
 * @property {() => Promise<void>} [check] Throws SetupError where what it needs is not there.
 * @property {() => string} work What will be done, for the progress line.
 * @property {() => Promise<void>} run Does it; throws SetupError.
 */

/** Between two lines that a long step is still at work. */
const TELL_EACH_MS = 15_000;

/**
 * Runs the steps that are not ready, one after the other, and says what took how long; of a long one also meanwhile.
 * @param {readonly Step[]} steps
 * @param {(line: string) => void} say
 * @param {number} [tellEachMs]
 */
export async function runSteps(steps, say, tellEachMs = TELL_EACH_MS) {
  const begun = Date.now();
  for (const step of steps) {
    if (step.isReady()) continue;
    const started = Date.now();
    await step.check?.();
    say(`set-up: ${step.name}: ${step.work()}`);
    const telling = setInterval(
      () => say(`set-up: ${step.name}: still at work (${seconds(Date.now() - started)})`),
      tellEachMs,
    );
    try {
      await step.run();
    } finally {
      clearInterval(telling);
    }
    say(`set-up: ${step.name}: done (${seconds(Date.now() - started)})`);
  }
  say(`set-up: ready (${seconds(Date.now() - begun)})`);
}

/** @param {number} ms */
function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
