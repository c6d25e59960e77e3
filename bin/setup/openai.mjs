import { pythonToolStep } from './python-tool.mjs';

/**
 * @param {string} root
 * @param {Record<string, string | undefined>} env
 * @returns {import('./step.mjs').Step}
 */
export function openaiStep(root, env) {
  return pythonToolStep(root, env, {
    name: 'openai',
    title: 'the clients in Python',
    version: '3.57.0',
    why: 'the gateway is called by the official clients in Python',
    command: 'python3',
    beside: ['anthropic==2.14.0'],
  });
}
