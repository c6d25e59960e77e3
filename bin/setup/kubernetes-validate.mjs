import { pythonToolStep } from './python-tool.mjs';

/**
 * @param {string} root
 * @param {Record<string, string | undefined>} env
 * @returns {import('./step.mjs').Step}
 */
export function kubernetesValidateStep(root, env) {
  return pythonToolStep(root, env, {
    name: 'kubernetes-validate',
    title: 'the validator of Kubernetes',
    version: '1.37.0',
    why: 'the manifests are held to it',
  });
}
