import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REQUIREMENT_BREAKS } from './requirements/all-breaks.ts';
import { REQUIREMENT_CASES } from './requirements/all-cases.ts';
import { breakOutcome } from './requirements/break-outcome.ts';
import { checkCitations } from './requirements/check-citations.ts';
import {
  behindProxies,
  type Gateways,
  type RedCase,
  redCases,
  startGateways,
  transparent,
} from './requirements/run-cases.ts';
import { Service } from './requirements/service.ts';
import { REQUIREMENTS, type RequirementId } from './requirements.ts';

let gateways: Gateways;
let red: readonly RedCase[] = [];

beforeAll(async () => {
  gateways = await startGateways();
  red = await redCases(REQUIREMENT_CASES, new Service(gateways.fast.ready, gateways.slow.ready));
});

afterAll(() => gateways?.close());

describe('the gateway holds the interface', () => {
  test.each(REQUIREMENT_CASES.map(({ name }) => name))('%s', (name) => {
    expect(red.find((found) => found.name === name)?.reason).toBeUndefined();
  });
});

describe('the requirements', () => {
  test('are cited by cases, each of at most three that exist', () => {
    expect(checkCitations(REQUIREMENTS, REQUIREMENT_CASES)).toEqual([]);
  });

  test('are 120 claims of the interface at least', () => {
    expect(
      REQUIREMENTS.filter(({ source }) => source.startsWith('interface §')).length,
    ).toBeGreaterThanOrEqual(120);
  });

  test('can each be switched off', () => {
    expect(Object.keys(REQUIREMENT_BREAKS).sort()).toEqual(REQUIREMENTS.map(({ id }) => id).sort());
  });

  test('have no id without a case, no citation of what does not exist, no fourth id and no second name', () => {
    const requirements = ['a.one', 'a.two', 'a.three', 'a.four'].map((id) => ({
      id,
      source: 'interface §1',
      says: '',
    }));
    const cases = [
      { name: 'first', requires: ['a.one', 'a.gone'] },
      { name: 'second', requires: ['a.one', 'a.two', 'a.four', 'a.one'] },
      { name: 'second', requires: ['a.two'] },
    ];
    expect(checkCitations(requirements, cases)).toEqual([
      'case "second" stands twice',
      'requirement a.three has no case',
      'case "first" cites a.gone, which does not exist',
      'case "second" cites 4 requirements, expected 1 to 3',
    ]);
  });
});

describe('a requirement that is switched off', () => {
  const outcomeOf = (id: RequirementId, handle = REQUIREMENT_BREAKS[id].start()) =>
    behindProxies(gateways, handle, async (service) =>
      breakOutcome(id, REQUIREMENT_CASES, await redCases(REQUIREMENT_CASES, service)),
    );

  test('turns exactly its own cases red', async () => {
    expect(await outcomeOf('page.before')).toEqual({ green: [], foreign: [] });
  });

  test('is told apart from one that is still held', async () => {
    expect(await outcomeOf('page.before', transparent)).toEqual({
      green: ['before goes on where the page before ended'],
      foreign: [],
    });
  });

  test('is told apart from another one', async () => {
    const { green, foreign } = await outcomeOf('page.before', REQUIREMENT_BREAKS['page.limit'].start());
    expect(green).toEqual(['before goes on where the page before ended']);
    expect(foreign.map(({ name }) => name)).toEqual(['limit is the size of a page']);
  });
});
