/** What a span states: names of OpenTelemetry's semantic conventions, and their values. */
export type Stated = Readonly<Record<string, string | number | undefined>>;

/** A part of the time that a request takes, as a trace shows it. */
export interface TraceSpan {
  /** The headers with which another server continues the trace. */
  readonly headers: Readonly<Record<string, string>>;
  /** Begins a part of this one. `isCall`: another server does it. */
  begin(name: string, stated?: Stated, isCall?: boolean): TraceSpan;
  /** Ends it. `error` names the kind of its failure. Does nothing if it has ended. */
  end(stated?: Stated, error?: string): void;
}

/** Receives the requests and sends their spans to a collector. Never fails, and never makes a request wait. */
export interface Traces {
  /** Begins a request, which continues the trace that its headers name. */
  begin(headers: Readonly<Record<string, unknown>>, name: string, stated: Stated): TraceSpan;
  /** Sends what is waiting, within a few seconds. */
  close(): Promise<void>;
}
