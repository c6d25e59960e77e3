import { expect, test } from 'vitest';
import { loadCommands, secretCommand } from './load-commands.ts';
import { aRun } from './load-run.test-support.ts';

test('what is typed next: the Secret with every key that a pod asks for, then the manifests', () => {
  const run = aRun({
    secret: { name: 'keys', credentials: ['api-key'], files: ['tenant'], variables: ['USER_TOKEN'] },
    remoteWrite: { url: 'https://prom.example', username: 'me', password: 'RW', bearerToken: null },
  });
  const [secret, ...rest] = loadCommands(run, 'k8s', ['api-key', 'user-id']);
  expect(secret).toBe(
    'kubectl create secret generic keys --from-file=api-key=api-key.txt --from-file=tenant=tenant.txt --from-file=USER_TOKEN=USER_TOKEN.txt --from-file=RW=RW.txt --from-file=user-id=user-id.txt',
  );
  expect(rest).toEqual([
    'kubectl apply -k k8s',
    'kubectl get pods -l app.kubernetes.io/instance=20261121T180049Z-8084',
    'kubectl logs job/weighbridge-20261121t180049z-8084-audit',
  ]);
  expect(secretCommand('keys', [])).toEqual([]);
});

test('a plan that no ConfigMap takes is brought to the volume first', () => {
  expect(loadCommands(aRun({ onVolume: true }), 'k8s', []).slice(1, 6)).toEqual([
    'kubectl apply -f k8s/ledgers.yaml -f k8s/volume-pod.yaml',
    'kubectl wait --for=condition=Ready pod/weighbridge-20261121t180049z-8084-volume',
    'kubectl cp k8s/20261121T180049Z-8084/. weighbridge-20261121t180049z-8084-volume:/var/lib/weighbridge/reports/20261121T180049Z-8084',
    'kubectl delete pod weighbridge-20261121t180049z-8084-volume',
    'kubectl apply -k k8s',
  ]);
});
