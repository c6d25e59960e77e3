import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const container = z.looseObject({
  name: z.string(),
  args: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
  env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })).default([]),
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })).default([]),
});
export type PodContainer = z.infer<typeof container>;

const podSpec = z.looseObject({
  containers: z.array(container),
  initContainers: z.array(container).default([]),
  volumes: z.array(z.looseObject({ name: z.string() })).default([]),
  securityContext: z.looseObject({}),
});
export type PodObject = z.infer<typeof podSpec>;

const object = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), labels: z.record(z.string(), z.string()) }),
  spec: z.unknown().optional(),
  data: z.record(z.string(), z.string()).optional(),
});
export type WrittenObject = z.infer<typeof object>;

/** The objects of a folder, by the name of their file. */
export function writtenObjects(dir: string): ReadonlyMap<string, WrittenObject> {
  const files = readdirSync(dir).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
  return new Map(files.map((name) => [name, object.parse(parse(readFileSync(join(dir, name), 'utf8')))]));
}

/** The pod that an object makes; null where it makes none. */
export function podOf({ spec }: WrittenObject): PodObject | null {
  for (const path of [['jobTemplate', 'spec', 'template', 'spec'], ['template', 'spec'], []]) {
    const found = path.reduce<unknown>(
      (at, key) => z.record(z.string(), z.unknown()).safeParse(at).data?.[key],
      spec,
    );
    const pod = podSpec.safeParse(found);
    if (pod.success) return pod.data;
  }
  return null;
}
