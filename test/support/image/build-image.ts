import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, delimiter, dirname, join, posix, resolve } from 'node:path';
import { cleanEnv, ROOT } from '../run-weighbridge.ts';
import { execForm, readDockerfile, type Stage } from './dockerfile.ts';

/** What a container is started from: a folder that holds what the Dockerfile copies, and nothing of its base image. */
export interface Image {
  readonly root: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  remove(): void;
}

/** Where stages are kept by what goes into them, as an engine keeps its layers: for copies of the tree, too, which share its packages. */
const LAYERS = resolve(realpathSync(join(ROOT, 'node_modules')), '../.cache/image');

/** They change no file of the image. */
const WITHOUT_FILES = ['EXPOSE', 'STOPSIGNAL', 'VOLUME'];

/** Carries out deploy/Dockerfile without a container engine: each stage in a folder, `RUN` by the tools of this machine. */
export async function buildImage(): Promise<Image> {
  mkdirSync(LAYERS, { recursive: true });
  const scratch = mkdtempSync(join(LAYERS, 'build-'));
  const remove = (): void => rmSync(scratch, { recursive: true, force: true });
  const stages = readDockerfile(readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8'));
  const last = stages.at(-1);
  if (last === undefined) throw new Error('deploy/Dockerfile has no stage');
  try {
    return { ...(await new Build(scratch, stages).stage(last)), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

class Build {
  readonly #scratch: string;
  readonly #stages: readonly Stage[];
  /** What .dockerignore lets through: files and folders at the root of the project. */
  readonly #sent = new Set(
    [...readFileSync(join(ROOT, 'deploy/Dockerfile.dockerignore'), 'utf8').matchAll(/^!(.+)$/gm)].map(
      ([, name = '']) => name,
    ),
  );

  constructor(scratch: string, stages: readonly Stage[]) {
    this.#scratch = scratch;
    this.#stages = stages;
  }

  async stage({ name, instructions }: Stage): Promise<Omit<Image, 'remove'>> {
    const root = join(this.#scratch, name);
    mkdirSync(root);
    const env: Record<string, string> = {};
    const image = {
      root,
      env,
      workdir: '/',
      user: '0:0',
      entrypoint: execForm('[]'),
      command: execForm('[]'),
    };
    for (const { keyword, text } of instructions) {
      if (keyword === 'WORKDIR') {
        image.workdir = posix.resolve(image.workdir, text);
        mkdirSync(join(root, image.workdir), { recursive: true });
      } else if (keyword === 'COPY') await this.#copy(text, root, image.workdir);
      else if (keyword === 'RUN') await run(text, join(root, image.workdir));
      else if (keyword === 'ENV') {
        const [, variable = '', value = ''] = /^(\w+)=(\S+)$/.exec(text) ?? [];
        env[variable] = value;
      } else if (keyword === 'USER') image.user = text;
      else if (keyword === 'ENTRYPOINT') image.entrypoint = execForm(text);
      else if (keyword === 'CMD') image.command = execForm(text);
      else if (!WITHOUT_FILES.includes(keyword)) throw new Error(`no test knows ${keyword} ${text}`);
    }
    return image;
  }

  async #copy(text: string, root: string, workdir: string): Promise<void> {
    const [, from, paths = ''] = /^(?:--from=(\S+) )?(.+)$/.exec(text) ?? [];
    const sources = paths.split(' ');
    const to = sources.pop() ?? '';
    const target = join(root, posix.resolve(workdir, to));
    for (const source of sources) {
      const path = from === undefined ? this.#ofProject(source) : join(await this.#rootOf(from), source);
      // Of a folder its content is copied; a file goes into what ends with a slash.
      const isInto = to.endsWith('/') && !statSync(path).isDirectory();
      cpSync(path, isInto ? join(target, basename(path)) : target, {
        recursive: true,
        verbatimSymlinks: true,
      });
    }
  }

  #ofProject(source: string): string {
    if (!this.#sent.has(source)) throw new Error(`Dockerfile.dockerignore keeps ${source} from the build`);
    return join(ROOT, source);
  }

  async #rootOf(name: string): Promise<string> {
    const stage = this.#stages.find((one) => one.name === name);
    if (stage === undefined) throw new Error(`no stage is called ${name}`);
    const kept = join(LAYERS, `${name}-${this.#inputs(stage)}`);
    if (existsSync(kept)) return kept;
    const { root } = await this.stage(stage);
    for (const old of globSync(`${name}-*`, { cwd: LAYERS })) rmSync(join(LAYERS, old), { recursive: true });
    renameSync(root, kept);
    return kept;
  }

  /** Hash of all that a stage is made from, but for what it takes from other stages: ours take nothing. */
  #inputs({ instructions }: Stage): string {
    const hash = createHash('sha256').update(JSON.stringify([process.version, instructions]));
    for (const { keyword, text } of instructions) {
      if (keyword !== 'COPY') continue;
      for (const source of text.split(' ').slice(0, -1)) {
        const path = this.#ofProject(source);
        const isFolder = statSync(path).isDirectory();
        const files = isFolder ? readdirSync(path, { recursive: true, encoding: 'utf8' }).sort() : [''];
        for (const file of files) {
          const whole = join(path, file);
          if (statSync(whole).isFile()) hash.update(`${source}/${file}\0`).update(readFileSync(whole));
        }
      }
    }
    return hash.digest('hex').slice(0, 16);
  }
}

/** A path of the image would be one of this machine here. */
const ABSOLUTE_PATH = /(?:^|[\s=])\//;

async function run(text: string, cwd: string): Promise<void> {
  if (ABSOLUTE_PATH.test(text)) throw new Error(`RUN names a path outside its WORKDIR: ${text}`);
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
  const child = spawn('sh', ['-euc', text], {
    cwd,
    env: cleanEnv({ PATH }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      said += part;
    });
  }
  const status = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  if (status !== 0) throw new Error(`RUN ${text} ended with ${status}:\n${said.slice(-2000)}`);
}
