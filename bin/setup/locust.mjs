import { pythonToolStep } from './python-tool.mjs';

/**
 * @param {string} root
 * @param {Record<string, string | undefined>} env
 * @returns {import('./step.mjs').Step}
 */
export function locustStep(root, env) {
  return pythonToolStep(root, env, {
    name: 'locust',
    title: 'Locust',
    version: '2.47.0',
    why: 'the gateway is loaded by it',
  });
}
