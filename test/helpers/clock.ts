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
