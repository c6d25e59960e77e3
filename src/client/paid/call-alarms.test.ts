import { expect, test } from 'vitest';
import { CallAlarms } from './call-alarms.ts';
import { FakeCallClock } from './fake-call-clock.test-support.ts';

function alarms() {
  const clock = new FakeCallClock();
  const rung: string[] = [];
  const unread: (() => void)[] = [];
  const catchUp = (): void => unread.splice(0).forEach((read) => void read());
  const alarms = new CallAlarms(clock, catchUp, (name) => rung.push(`${name} at ${clock.monoMs()}`));
  return { clock, rung, unread, alarms };
}

test('the first alarm that is due rings, and is the last', () => {
  const { clock, rung, alarms: under } = alarms();
  under.start('timeout_total', 900);
  under.start('timeout_headers', 300);
  clock.advance(299);
  expect(rung).toEqual([]);
  clock.advance(5000);
  expect(rung).toEqual(['timeout_headers at 300']);
  under.start('timeout_idle', 1);
  clock.advance(5000);
  expect(rung).toHaveLength(1);
});

test('an alarm that is set anew rings later, a disarmed one and one of 0 never', () => {
  const { clock, rung, alarms: under } = alarms();
  under.start('timeout_idle', 100);
  under.start('timeout_connect', 50);
  under.start('timeout_first_token', 0);
  under.disarm('timeout_connect');
  clock.advance(99);
  under.start('timeout_idle', 100);
  clock.advance(99);
  expect(rung).toEqual([]);
  clock.advance(1);
  expect(rung).toEqual(['timeout_idle at 199']);
});

test('what had come before an alarm rings is read first, and may put it off, disarm it or end all of them', () => {
  const { clock, rung, unread, alarms: under } = alarms();
  under.start('timeout_idle', 100);
  under.start('timeout_first_token', 100);
  unread.push(() => {
    under.start('timeout_idle', 100);
    under.disarm('timeout_first_token');
  });
  clock.advance(199);
  expect(rung).toEqual([]);
  clock.advance(1);
  expect(rung).toEqual(['timeout_idle at 200']);
  const other = alarms();
  other.alarms.start('timeout_total', 100);
  other.unread.push(() => other.alarms.stop());
  other.clock.advance(100);
  expect(other.rung).toEqual([]);
});
