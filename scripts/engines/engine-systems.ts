/** A system that an engine package is built for. */
export interface EngineSystem {
  /** As Node names it. */
  readonly name: string;
  readonly os: string;
  readonly cpu: string;
  /** As Go names them. */
  readonly goos: string;
  readonly goarch: string;
}

const GOOS = { linux: 'linux', darwin: 'darwin', win32: 'windows' } as const;
const GOARCH = { x64: 'amd64', arm64: 'arm64' } as const;

export const ENGINE_SYSTEMS: readonly EngineSystem[] = Object.entries(GOOS).flatMap(([os, goos]) =>
  Object.entries(GOARCH).map(([cpu, goarch]) => ({ name: `${os}-${cpu}`, os, cpu, goos, goarch })),
);

/** Operating systems as Go names them. What an engine links is the same on x64 and arm64. */
export const ENGINE_OS: readonly string[] = Object.values(GOOS);

/** The systems that `--only` names, parted by commas; all of them where it is not given. */
export function chosenSystems(only: string | undefined): readonly EngineSystem[] {
  if (only === undefined) return ENGINE_SYSTEMS;
  return only.split(',').map((name) => {
    const system = ENGINE_SYSTEMS.find((one) => one.name === name);
    if (system !== undefined) return system;
    throw new Error(`--only: expected ${ENGINE_SYSTEMS.map((one) => one.name).join(', ')}, found ${name}`);
  });
}
