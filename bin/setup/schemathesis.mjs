import { pythonToolStep } from './python-tool.mjs';

/**
 * @param {string} root
 * @param {Record<string, string | undefined>} env
 * @returns {import('./step.mjs').Step}
 */
export function schemathesisStep(root, env) {
  return pythonToolStep(root, env, {
    name: 'schemathesis',
    title: 'Schemathesis',
    version: '4.32.5',
    why: "the gateway's description is held to it",
  });
}
