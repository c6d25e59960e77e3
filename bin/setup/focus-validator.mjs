import { pythonToolStep } from './python-tool.mjs';

/**
 * @param {string} root
 * @param {Record<string, string | undefined>} env
 * @returns {import('./step.mjs').Step}
 */
export function focusValidatorStep(root, env) {
  return pythonToolStep(root, env, {
    name: 'focus-validator',
    title: 'the validator of FOCUS',
    version: '2.2.1',
    why: 'the cost table of reports is held to it',
    least: 12,
  });
}
