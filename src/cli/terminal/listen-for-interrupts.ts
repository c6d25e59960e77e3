import type { Interrupts } from '../../app/terminal/interrupts.ts';
import { watchParent } from './parent-watch.ts';

export function listenForInterrupts(host: NodeJS.Process): Interrupts {
  let seen = 0;
  const listeners = new Set<(count: number) => void>();
  const { promise: first, resolve } = Promise.withResolvers<void>();
  const onSignal = (): void => {
    seen += 1;
    resolve();
    for (const listener of listeners) listener(seen);
  };
  host.on('SIGINT', onSignal);
  host.on('SIGTERM', onSignal);
  // At a Ctrl-C both get the signal: their end is no second one.
  const endWatch = watchParent(host, () => {
    if (seen === 0) onSignal();
  });
  return {
    count: () => seen,
    first,
    onSignal: (listener) => {
      listeners.add(listener);
      if (seen > 0) listener(seen);
      return () => listeners.delete(listener);
    },
    release: () => {
      endWatch();
      host.off('SIGINT', onSignal);
      host.off('SIGTERM', onSignal);
    },
  };
}
