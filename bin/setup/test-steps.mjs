/**
 * What the tests need beyond what the command needs, in the order in which it is set up.
 * @param {string} _root
 * @param {Record<string, string | undefined>} _env
 * @returns {import('./step.mjs').Step[]}
 */
export function testSteps(_root, _env) {
  return [];
}
