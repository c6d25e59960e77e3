import { resolve } from 'node:path';
import { furtherFolderName, targetFolderName } from '../contracts/target-folder-name.ts';
import { budgetAt } from './budget-at.ts';
import type { ConfigFile } from './config-schema.ts';
import { msOf } from './duration.ts';
import { EMBEDDED_PROBES } from './probe-defaults.ts';
import type { ProbeSettings } from './probe-keys.ts';
import { safeName } from './probe-names.ts';
import type { ProbeFile } from './probe-schema.ts';
import type { NamedTarget } from './resolve-probe-target.ts';
import type { TargetBases } from './target-bases.ts';

/** The gateway that the command started itself: references to its throw-away credentials, and models it has. */
export interface EmbeddedTarget {
  readonly bases: TargetBases;
  readonly key: string;
  readonly access_token: string;
  readonly user_id: string;
  readonly models: {
    readonly text: string | null;
    readonly image: string | null;
    readonly video: string | null;
  };
}

export interface PlacedTarget {
  readonly target: NamedTarget;
  /** In the file: the target's, or the section's where it stands elsewhere. */
  readonly path: readonly (string | number)[];
  /** Settings of its own, before those of the section. */
  readonly own: ReadonlySet<string>;
}

interface Sources {
  readonly file: ConfigFile;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** That paths of the environment start from. */
  readonly cwd: string;
  /** Of a flag or the environment. */
  readonly target: TargetBases | undefined;
  readonly embedded: EmbeddedTarget | null;
}

/** The gateways to watch: that of the flag, else the targets of the section, else that of the file, else the embedded. */
export function placedTargets({ file, env, cwd, target, embedded }: Sources): PlacedTarget[] {
  const section = file.probe ?? {};
  const shared = settingsOf(section);
  if (target === undefined && section.targets !== undefined) {
    return section.targets.map((entry, index) => {
      const own = settingsOf(entry);
      const {
        name,
        url: bases,
        key = null,
        access_token = null,
        user_id = null,
        headers = {},
        dialect = 'auto',
      } = entry;
      const first = section.targets?.findIndex(({ url }) => isSameFolder(url, bases));
      const folder = first === index ? targetFolderName(bases.root) : furtherFolderName(bases.root, name);
      const budget = first === index ? budgetAt(file, bases.root) : (own.budget ?? shared.budget);
      const settings = { ...shared, ...own, ...(budget === undefined ? {} : { budget }) };
      return {
        target: {
          name,
          folder,
          bases,
          key,
          access_token,
          user_id,
          headers,
          dialect,
          embedded: false,
          settings,
        },
        path: ['probe', 'targets', index],
        own: new Set(Object.keys(own)),
      };
    });
  }
  const own = new Set<string>();
  const bases = target ?? file.target?.url;
  if (bases !== undefined) {
    const { host, pathname } = new URL(bases.root);
    const budget = budgetAt(file, bases.root);
    const given = target === undefined ? file.target?.name : undefined;
    const name = safeName(given ?? `${host}${pathname}`.replace(/\/+$/, ''));
    const credentials = {
      // Where it is needed and not set, its reader says so.
      key:
        fromEnvironment(env, cwd, 'WEIGHBRIDGE_API_KEY') ??
        (isPaid(shared) ? 'env:WEIGHBRIDGE_API_KEY' : null),
      access_token: fromEnvironment(env, cwd, 'WEIGHBRIDGE_ACCESS_TOKEN'),
      user_id: fromEnvironment(env, cwd, 'WEIGHBRIDGE_USER_ID'),
    };
    return [
      {
        target: {
          name,
          folder: targetFolderName(bases.root),
          bases,
          ...credentials,
          // They are for the gateway of the file, as its name is.
          headers: (target === undefined ? file.target?.headers : undefined) ?? {},
          dialect: (target === undefined ? file.target?.dialect : undefined) ?? 'auto',
          embedded: false,
          settings: budget === undefined ? shared : { ...shared, budget },
        },
        path: ['probe'],
        own,
      },
    ];
  }
  if (embedded === null) return [];
  const { models, ...credentials } = embedded;
  const settings = { ...embeddedSettings(models, shared), ...shared };
  return [
    {
      target: {
        name: 'embedded',
        folder: '+embedded',
        ...credentials,
        headers: {},
        dialect: 'interface',
        embedded: true,
        settings,
      },
      path: ['probe'],
      own,
    },
  ];
}

function isSameFolder(one: TargetBases, other: TargetBases): boolean {
  return targetFolderName(one.root) === targetFolderName(other.root);
}

/** The keys of the settings that are set. */
function settingsOf(entry: ProbeFile | NonNullable<ProbeFile['targets']>[number]): ProbeSettings {
  const {
    budget,
    assume_usd_per_run,
    concurrency,
    watch_models,
    text,
    images,
    videos,
    free,
    negative,
    probes,
  } = entry;
  return {
    ...(budget === undefined ? {} : { budget }),
    ...(assume_usd_per_run === undefined ? {} : { assume_usd_per_run }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(watch_models === undefined ? {} : { watch_models }),
    ...(text === undefined ? {} : { text }),
    ...(images === undefined ? {} : { images }),
    ...(videos === undefined ? {} : { videos }),
    ...(free === undefined ? {} : { free }),
    ...(negative === undefined ? {} : { negative }),
    ...(probes === undefined ? {} : { probes }),
  };
}

/** `env:NAME` or `file:PATH` for a credential that the environment gives as text or as a path; else null. */
function fromEnvironment(env: Sources['env'], cwd: string, name: string): string | null {
  if ((env[name] ?? '') !== '') return `env:${name}`;
  const path = env[`${name}_FILE`] ?? '';
  return path === '' ? null : `file:${resolve(cwd, path)}`;
}

/** Where no paid probe is configured, the embedded gateway gets one of each sort: there is something to see at once. */
function embeddedSettings(
  { text, image, video }: EmbeddedTarget['models'],
  shared: ProbeSettings,
): ProbeSettings {
  const { text_every, images_every, videos_every, negative_every } = EMBEDDED_PROBES;
  const rules = ['no_key', 'wrong_key_kind', 'unknown_model', 'missing_user_header'] as const;
  const negative = { every: msOf(negative_every) };
  if (isPaid(shared)) return { negative: { rules: [...rules], ...negative } };
  const tasks = image === null && video === null ? [] : (['result_before_completion'] as const);
  return {
    ...(text === null ? {} : { text: { models: [text], every: msOf(text_every) } }),
    ...(image === null
      ? {}
      : {
          images: {
            models: [image],
            kinds: ['image', 'image_edit', 'image_job', 'image_edit_job'],
            every: msOf(images_every),
          },
        }),
    ...(video === null ? {} : { videos: { models: [video], every: msOf(videos_every) } }),
    negative: { rules: [...rules, ...tasks], ...negative },
  };
}

function isPaid({ text, images, videos, probes }: ProbeSettings): boolean {
  return [text, images, videos, probes].some((each) => each !== undefined);
}
