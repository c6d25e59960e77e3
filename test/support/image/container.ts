import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Finished } from '../run-weighbridge.ts';
import type { Image } from './build-image.ts';

export interface Mount {
  /** Path within the container. */
  readonly at: string;
  /** File or folder of this machine; null is an empty folder in memory. */
  readonly from: string | null;
  readonly readOnly?: boolean;
}

export interface ContainerOptions {
  /** What follows the entry point; that of the image where it is left out. */
  readonly args?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** `uid:gid`, numbers both; that of the image where it is left out. */
  readonly user?: string;
  readonly mounts: readonly Mount[];
}

/** Mounts need root, and the namespaces of Linux. */
export const CAN_CONTAIN = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;

/** What the base image brings: the libraries that Node loads, and what the kernel shows. Of its commands Node alone. */
const LIBRARIES = ['/lib', '/lib64', '/usr/lib', '/usr/lib64'].filter((path) => existsSync(path));
const KERNEL = ['/dev', '/proc', '/sys'];
const NODE = '/usr/local/bin/node';
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Starts a process that sees the image as its whole file system, read-only but for its mounts, as a user of no name: the
 * image holds no passwd file. Its pid is that of the child, so that signals go where those of an engine go.
 */
export function startContainer(
  image: Image,
  {
    args = image.command,
    entrypoint = image.entrypoint,
    env = {},
    user = image.user,
    mounts,
  }: ContainerOptions,
): ChildProcessByStdio<null, Readable, Readable> {
  const { root, workdir } = image;
  const base: readonly Mount[] = [
    ...[...LIBRARIES, ...KERNEL].map((at) => ({ at, from: at })),
    { at: NODE, from: process.execPath },
  ];
  // As an engine does: what is mounted upon is made.
  for (const { at, from } of [...base, ...mounts]) makeMountPoint(join(root, at), from);
  const script = [
    `mount --bind ${root} ${root}`,
    ...base.map(({ at, from }) => `mount --rbind ${from} ${root}${at}`),
    `mount -o remount,bind,ro ${root}`,
    ...mounts.flatMap(({ at, from, readOnly = false }) => [
      from === null ? `mount -t tmpfs -o mode=1777 none ${root}${at}` : `mount --bind ${from} ${root}${at}`,
      ...(readOnly ? [`mount -o remount,bind,ro ${root}${at}`] : []),
    ]),
    `exec unshare --root=${root} --wd=${workdir} --setuid=${idOf(user, 0)} --setgid=${idOf(user, 1)} "$@"`,
  ];
  return spawn('unshare', ['--mount', 'sh', '-euc', script.join('\n'), 'sh', ...entrypoint, ...args], {
    env: { PATH, HOME: '/', ...image.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Starts it and waits for its end. */
export async function runContainer(image: Image, options: ContainerOptions): Promise<Finished> {
  const child = startContainer(image, options);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const status = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  return { status, stdout, stderr };
}

function makeMountPoint(path: string, from: string | null): void {
  if (existsSync(path)) return;
  const isFile = from !== null && statSync(from).isFile();
  mkdirSync(isFile ? dirname(path) : path, { recursive: true });
  if (isFile) writeFileSync(path, '');
}

function idOf(user: string, place: 0 | 1): number {
  const id = Number(user.split(':')[place] ?? Number.NaN);
  if (!Number.isInteger(id)) throw new Error(`expected uid:gid in numbers, found ${user}`);
  return id;
}
