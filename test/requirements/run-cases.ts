import { type RunningGateway, startGateway } from '../../src/gateway/start-gateway.ts';
import { type Handler, startBreakingProxy } from './breaking-proxy.ts';
import type { RequirementCase } from './requirement-case.ts';
import { Service } from './service.ts';

/** The gateways that the cases of any number of runs share: each case makes accounts and keys of its own. */
export interface Gateways {
  readonly fast: RunningGateway;
  readonly slow: RunningGateway;
  close(): Promise<void>;
}

export interface RedCase {
  readonly name: string;
  readonly reason: string;
}

/** Fixed, since it decides how long replies are: the case that leaves a stream needs one that goes on for a while. */
const GATEWAY_SEED = 1;
/** No case needs a tenth of it on an idle machine: a case that hangs is red. */
const CASE_PATIENCE_MS = 30_000;

export async function startGateways(): Promise<Gateways> {
  const fast = await startGateway({ port: 0, seed: GATEWAY_SEED, latency: 'fast' });
  const slow = await startGateway({ port: 0, seed: GATEWAY_SEED, latency: 'realistic' });
  return {
    fast,
    slow,
    close: async () => {
      await fast.close();
      await slow.close();
    },
  };
}

/** Runs work on the service behind proxies that treat every exchange with `handle`. */
export async function behindProxies<T>(
  { fast, slow }: Gateways,
  handle: Handler,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const opened = await Promise.all(
    [fast, slow].map(async ({ ready }) => {
      const service = await startBreakingProxy(ready.base_url, handle, false);
      const control = await startBreakingProxy(ready.control_url, handle, true);
      return {
        ready: { ...ready, base_url: service.url, control_url: control.url },
        close: () => Promise.all([service.close(), control.close()]),
      };
    }),
  );
  const [first, second] = opened;
  if (first === undefined) throw new Error('no proxy was started');
  try {
    return await work(new Service(first.ready, second?.ready));
  } finally {
    await Promise.all(opened.map(({ close }) => close()));
  }
}

/** Runs all cases at the same time; those that failed, with what they saw. */
export async function redCases(
  cases: readonly RequirementCase[],
  service: Service,
): Promise<readonly RedCase[]> {
  const outcomes = await Promise.all(cases.map((each) => redOf(each, service)));
  return outcomes.filter((outcome) => outcome !== null);
}

async function redOf({ name, run }: RequirementCase, service: Service): Promise<RedCase | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${CASE_PATIENCE_MS} ms`)), CASE_PATIENCE_MS);
  });
  try {
    await Promise.race([run(service), late]);
    return null;
  } catch (error) {
    return { name, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}

/** Changes nothing. */
export const transparent: Handler = (request, forward) => forward(request);
