import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { BOARDS } from './boards/boards.ts';
import { JOB } from './rules/daemon-alerts.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PROVISIONING = join(ROOT, 'dashboards/provisioning');

const COMPOSE = z.object({
  services: z.record(
    z.string(),
    z.object({
      build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
      command: z.array(z.string()).optional(),
      hostname: z.string().optional(),
      environment: z.record(z.string(), z.string()).optional(),
      volumes: z.array(z.string()),
      ports: z.array(z.string()),
    }),
  ),
  volumes: z.record(z.string(), z.null()),
});
const compose = COMPOSE.parse(yaml('deploy/compose.yaml'));

test('promtool accepts the configuration of Prometheus and finds its rules', () => {
  const { status, stdout, stderr } = spawnSync(
    'promtool',
    ['check', 'config', join(PROVISIONING, 'prometheus.yml')],
    {
      encoding: 'utf8',
    },
  );
  expect({ status, said: stdout + stderr }).toMatchObject({ status: 0 });
  expect(stdout).toMatch(/SUCCESS: \d+ rules found/);
});

test('Prometheus scrapes the daemon under the job that the rules look for', () => {
  const { scrape_configs: scraped } = z
    .object({
      scrape_configs: z.array(
        z.object({
          job_name: z.string(),
          static_configs: z.array(z.object({ targets: z.array(z.string()) })),
        }),
      ),
    })
    .parse(yaml('dashboards/provisioning/prometheus.yml'));
  expect(scraped.map(({ job_name }) => job_name)).toEqual([JOB]);
  const [host, port] = scraped[0]?.static_configs[0]?.targets[0]?.split(':') ?? [];
  expect(Object.keys(compose.services)).toContain(host);
  expect(compose.services[host ?? '']?.ports).toEqual([`127.0.0.1:${port}:${port}`]);
  expect(dockerfile()).toContain(`EXPOSE ${port}`);
  expect(dockerfile()).toContain(`"--listen", ":${port}"`);
});

test('all that compose mounts exists, and no port is open beyond this machine', () => {
  const mounts = Object.values(compose.services).flatMap(({ volumes }) =>
    volumes.map((one) => one.split(':')),
  );
  expect(mounts.length).toBeGreaterThan(6);
  const missing = mounts.filter(([from = '']) =>
    from.startsWith('.') ? !existsSync(resolve(ROOT, 'deploy', from)) : !(from in compose.volumes),
  );
  expect(missing).toEqual([]);
  for (const { ports } of Object.values(compose.services)) {
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  }
  const build = compose.services['weighbridge']?.build;
  expect(existsSync(resolve(ROOT, 'deploy', build?.context ?? 'none', build?.dockerfile ?? 'none'))).toBe(
    true,
  );
});

test('the daemon keeps its host name, which the lock on its state tells by', () => {
  expect(compose.services['weighbridge']?.hostname).toBe('weighbridge');
});

test('Prometheus takes what load runs push, and reads its configuration where it is mounted', () => {
  const { command = [], volumes = [] } = compose.services['prometheus'] ?? {};
  expect(command).toContain('--web.enable-remote-write-receiver');
  expect(command).toContain('--enable-feature=exemplar-storage,native-histograms');
  const config = command.find((flag) => flag.startsWith('--config.file='))?.split('=')[1] ?? '';
  expect(hostPath(volumes, config)).toBe(join(PROVISIONING, 'prometheus.yml'));
});

test('Grafana finds its data source, every dashboard, and its home', () => {
  const { volumes = [], environment = {} } = compose.services['grafana'] ?? {};
  const { providers } = z
    .object({ providers: z.array(z.object({ options: z.object({ path: z.string() }) })) })
    .parse(yaml('dashboards/provisioning/dashboards.yml'));
  const folder = hostPath(volumes, providers[0]?.options.path ?? '');
  expect(BOARDS.filter(({ uid }) => !existsSync(join(folder, `${uid}.json`)))).toEqual([]);
  const home = environment['GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH'] ?? '';
  expect(BOARDS.map(({ uid }) => `${uid}.json`)).toContain(basename(home));
  const { datasources } = z
    .object({ datasources: z.array(z.object({ type: z.string(), url: z.url() })) })
    .parse(yaml('dashboards/provisioning/datasources.yml'));
  expect(datasources.map(({ type }) => type)).toEqual(['prometheus']);
  expect(Object.keys(compose.services)).toContain(new URL(datasources[0]?.url ?? '').hostname);
});

function yaml(name: string): unknown {
  return parse(readFileSync(join(ROOT, name), 'utf8'));
}

function dockerfile(): string {
  return readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
}

/** Where a path within a container stands in the project. */
function hostPath(volumes: readonly string[], path: string): string {
  const [from = 'none', to = ''] =
    volumes.map((one) => one.split(':')).find(([, at = '?']) => path.startsWith(at)) ?? [];
  return resolve(ROOT, 'deploy', from, `.${path.slice(to.length)}`);
}
