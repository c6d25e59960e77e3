import { expect, test } from 'vitest';
import { targetFolderName } from './target-folder-name.ts';

test('a gateway has one folder, by host, port and path', () => {
  expect(targetFolderName('https://gateway.example')).toBe('gateway.example');
  expect(targetFolderName('http://gateway.example/')).toBe('gateway.example');
  expect(targetFolderName('http://127.0.0.1:8787')).toBe('127.0.0.1_8787');
  expect(targetFolderName('https://gateway.example/team/a')).toBe('gateway.example_team_a');
});

test('two gateways never share one, and none leads out of the state', () => {
  const roots = ['/team/a', '/team_a', '/Team/a', '/team/=61', '/8080', ':8080', '/8080/a', ':8080/a', '/..'];
  const names = roots.map((path) => targetFolderName(`https://gateway.example${path}`));
  expect(new Set(names).size).toBe(roots.length);
  for (const name of [...names, targetFolderName('http://[::1]:80'), targetFolderName('http://../x')])
    expect(name).toMatch(/^[a-z0-9=][a-z0-9.=_-]*$/);
});
