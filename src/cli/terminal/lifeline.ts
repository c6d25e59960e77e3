export interface Lifeline {
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
