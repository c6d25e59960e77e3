import { describe, expect, it } from 'vitest';
import { configOf, REMOTE, resolve } from './plan.test-support.ts';

const permission = (rps: number, inFlight: number) =>
  `target: {permission: {by: ops, until: 2026-12-31, max_rps: ${rps}, max_in_flight: ${inFlight}}}\n`;
const refusal = (message: string) =>
  expect.objectContaining({
    code: 'permission_needed',
    exitCode: 2,
    message: expect.stringContaining(message),
  });

describe('what a plan reaches', () => {
  it.each([
    ['{kind: chat, rate: 1/s, max_in_flight: 5, session: {turns: 3}}', 'reaches 3/s and 5 calls'],
    [
      '{kind: chat, rate: 1/s, max_in_flight: 5, session: {turns: {distribution: uniform, min: 1, max: 4}}}',
      'reaches 4/s and 5 calls',
    ],
    [
      '{kind: chat, rate: 3/s, max_in_flight: 5, arrival: poisson}',
      'reaches 3/s (the mean of its random arrivals) and 5 calls',
    ],
    [
      '{kind: chat, concurrency: 4}',
      'reaches an unlimited rate (a closed loop without http.rps) and 4 calls',
    ],
  ])('counts %s', (entry, message) => {
    expect(() => resolve(`traffic: [${entry}]`, REMOTE)).toThrow(refusal(message));
  });

  it('counts every attempt of a call', () => {
    const yaml = 'retry: {max_attempts: 3}\ntraffic: [{kind: chat, rate: 1/s, max_in_flight: 5}]';
    expect(() => resolve(yaml, REMOTE)).toThrow(refusal('reaches 3/s'));
  });

  it('is bounded by http.rps, also for a closed loop', () => {
    const loop = 'traffic: [{kind: chat, concurrency: 4}]';
    expect(() => resolve(`http: {rps: 2}\n${loop}`, REMOTE)).not.toThrow();
    expect(() => resolve(`http: {rps: 3}\n${loop}`, REMOTE)).toThrow(refusal('reaches 3/s and 4 calls'));
    expect(() => resolve(`${permission(9, 9)}${loop}`, REMOTE)).toThrow(refusal('an unlimited rate'));
    expect(() => resolve(`${permission(9, 9)}http: {rps: 9}\n${loop}`, REMOTE)).not.toThrow();
    expect(() => resolve(`${permission(9, 3)}http: {rps: 9}\n${loop}`, REMOTE)).toThrow(refusal('4 calls'));
  });

  it('is bounded in flight by the limits of the run and of a model', () => {
    const two =
      '[{kind: chat, rate: 1/s, max_in_flight: 9, model: dear}, {kind: chat, rate: 1/s, max_in_flight: 4}]';
    expect(() => resolve(`traffic: ${two}`, REMOTE)).toThrow(refusal('13 calls'));
    expect(() => resolve(`limits: {max_in_flight: 5}\ntraffic: ${two}`, REMOTE)).not.toThrow();
    expect(() => resolve(`models: {dear: {max_in_flight: 1}}\ntraffic: ${two}`, REMOTE)).not.toThrow();
    expect(() => resolve(`models: {dear: {max_in_flight: 2}}\ntraffic: ${two}`, REMOTE)).toThrow(
      refusal('6 calls'),
    );
  });

  it('needs no permission on loopback', () => {
    const config = configOf('traffic: [{kind: chat, concurrency: 40}]', { target: 'http://127.0.0.1:1' });
    expect(config.target.permission).toBeNull();
    expect(() =>
      resolve('traffic: [{kind: chat, concurrency: 40}]', { target: 'http://127.0.0.1:1', maxSpendUsd: '1' }),
    ).not.toThrow();
  });
});
