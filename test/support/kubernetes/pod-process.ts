import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { z } from 'zod';

/** Where the paths of a pod lead on this machine. */
export type Places = readonly (readonly [inPod: string, here: string])[];

export function placed(text: string, places: Places): string {
  return places.reduce((at, [inPod, here]) => at.replaceAll(inPod, here), text);
}

interface Variable {
  readonly name: string;
  readonly value?: string | undefined;
  readonly valueFrom?: unknown;
}

const jobName = z.object({
  fieldRef: z.object({ fieldPath: z.literal("metadata.labels['batch.kubernetes.io/job-name']") }),
});

/** The variables of a container as the kubelet sets them; `job` is the Job that its pod belongs to. */
export function podEnv(env: readonly Variable[], job: string, places: Places): Record<string, string> {
  return Object.fromEntries(
    env.map(({ name, value, valueFrom }) => {
      if (value !== undefined) return [name, placed(value, places)];
      jobName.parse(valueFrom);
      return [name, job];
    }),
  );
}

/** Words of a container as the kubelet expands them. */
export function expanded(words: readonly string[], env: Readonly<Record<string, string>>): readonly string[] {
  return words.map((word) =>
    word.replaceAll(/\$\$|\$\((\w+)\)/g, (whole, name: string | undefined) =>
      name === undefined ? '$' : (env[name] ?? whole),
    ),
  );
}

/** A container as a process: the first word is process 1. */
export function startContainer(words: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const [command = '', ...args] = words;
  return spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** What a container said, and its exit status. */
export async function ended(child: ChildProcess): Promise<{ status: number | null; said: string }> {
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  await once(child, 'close');
  return { status: child.exitCode, said };
}

/** A port that was free a moment ago: k6 takes no 0. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  return address.port;
}
