/** A parent that ends is noticed this late, at most. */
const POLL_MS = 1_000;

/**
 * Calls `onGone` once when npm or npx, which started this process, has ended: at a SIGTERM they end without passing it
 * on. Any other parent may leave us behind on purpose (nohup, a shell's background). A process with a lifeline goes by
 * that. Returns what ends the watch, which keeps no process alive.
 */
export function watchParent(
  host: { readonly ppid: number; readonly env: NodeJS.ProcessEnv },
  onGone: () => void,
): () => void {
  const { npm_execpath, npm_command, WEIGHBRIDGE_LIFELINE } = host.env;
  const byNpm = npm_execpath !== undefined || npm_command !== undefined;
  if (!byNpm || WEIGHBRIDGE_LIFELINE !== undefined) return () => undefined;
  const parent = host.ppid;
  const timer = setInterval(() => {
    if (host.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

interface Lifeline {
  /** Resolves when the process that started this one is gone; never where nothing was promised. */
  readonly gone: Promise<void>;
  release(): void;
}

/** With WEIGHBRIDGE_LIFELINE=stdin the process that started this one keeps our standard input open as long as it lives. */
export function lifelineOf(host: NodeJS.Process): Lifeline {
  if (host.env['WEIGHBRIDGE_LIFELINE'] !== 'stdin')
    return { gone: new Promise(() => undefined), release: () => undefined };
  const gone = new Promise<void>((resolve) => {
    host.stdin
      .on('error', () => resolve())
      .once('close', () => resolve())
      .once('end', () => resolve())
      .resume();
  });
  // A standard input that is still read would keep this process alive.
  return { gone, release: () => host.stdin.destroy() };
}
