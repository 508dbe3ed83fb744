/**
 * @module Types of mutants: small faults in front of a running service or in its settings, which the
 * harness must catch. Mutants change requests and answers, never the service's code.
 */

/** A request on its way to the service. */
export interface ProxiedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** State of the mutant, one for each instance of the service. */
  readonly memory: Map<string, number>;
}

/** An answer on its way to the client. */
export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** A body for an answer that must not have one. */
  readonly surplus?: string;
  /** Delay in milliseconds. */
  readonly late?: number;
  /** Closes the connection after this many bytes. */
  readonly cut?: number;
}

/** A fault in the proxy. */
export interface ProxyFault {
  /** Changes the request before the service receives it. */
  readonly request?: (request: ProxiedRequest) => ProxiedRequest;
  readonly reply?: (reply: Reply, request: ProxiedRequest) => Reply;
  /** A lead to send after an answer, like a service that counts a request twice. */
  readonly also?: (reply: Reply, request: ProxiedRequest) => string | undefined;
  /** How long to withhold an incomplete request from the service, in milliseconds. */
  readonly patience?: number;
}

/** A seeded fault. */
export interface Mutant extends ProxyFault {
  /** One sentence: the fault. */
  readonly name: string;
  /** What must catch it; by default, any fast tier. */
  readonly by?: Slow | undefined;
  /** The rule that must catch it. Every rule has at least one mutant. */
  readonly check?: string | undefined;
  /** Changes the environment of every instance. */
  readonly env?: (given: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
}

/** Slow tiers, and the completeness check, which needs all tiers. */
export type Slow = "raw" | "limits" | "faults" | "matrix";
