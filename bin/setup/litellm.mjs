import { pythonToolStep } from './python-tool.mjs';

/**
 * @param {string} root
 * @param {Record<string, string | undefined>} env
 * @returns {import('./step.mjs').Step}
 */
export function litellmStep(root, env) {
  return pythonToolStep(root, env, {
    name: 'litellm',
    title: "LiteLLM's proxy",
    version: '1.100.0',
    why: 'a load and an audit go through a gateway of others',
    extras: '[proxy]',
  });
}
