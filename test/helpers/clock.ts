import type { Clock } from '../../src/lib/clock.ts';

/** A clock that stands still until a test changes it. */
export class TestClock implements Clock {
  nowMs: number;

  constructor(iso: string) {
    this.nowMs = Date.parse(iso);
  }

  now(): number {
    return this.nowMs;
  }

  set(iso: string): void {
    this.nowMs = Date.parse(iso);
  }

  advance(ms: number): void {
    this.nowMs += ms;
  }
}

/**
 * A clock on which no window of time ends during a test: bounds on attempts count in windows of the calendar. It is
 * behind the real one, which sessions use, because the library does. Ahead of it, the housekeeping would delete them.
 */
export const stoppedClock = (): TestClock => new TestClock('2025-11-21T12:00:00Z');
