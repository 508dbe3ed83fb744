/**
 * @module A mutant: a small fault that a proxy puts in front of a running service, or into its
 * settings, and that the harness has to find. The code of the service is not changed.
 */

/** A request on its way to the service. */
export interface ProxiedRequest {
  readonly method: string;
  /** With its query. */
  readonly target: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** State of the mutant, one for each instance of the service. */
  readonly memory: Map<string, number>;
}

/** A response on its way back; a mutant returns another one. */
export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Bytes after a response that must not have a body. */
  readonly surplus?: string;
  /** A delay in milliseconds. */
  readonly late?: number;
  /** Closes the connection after so many bytes. */
  readonly cut?: number;
}

export type Mutation = (reply: Reply, passing: ProxiedRequest) => Reply;

/** Changes to a request; undefined removes a header. */
export interface Change {
  readonly method?: string;
  readonly target?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** What a proxy changes; without members it changes nothing. */
export interface ProxyFault {
  readonly reply?: Mutation;
  /** Changes the request before the service gets it. */
  readonly request?: (passing: ProxiedRequest) => Change;
  /** Sends this as another lead after a response, so that too much is counted. */
  readonly also?: (reply: Reply, passing: ProxiedRequest) => string | undefined;
  /** How long an incomplete request is kept from the service, in milliseconds. */
  readonly patience?: number;
}

export interface Fault extends ProxyFault {
  /** Changes the settings of every instance that is started. */
  readonly env?: (given: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
}

export interface Mutant extends Fault {
  /** One sentence: what is wrong with this service. */
  readonly name: string;
  /** The slow tier that has to find it; by default the quick ones have to. */
  readonly by?: Slow;
  /** The rule that has to find it, for one fault at least of each rule. */
  readonly check?: string;
}

/** Slow tiers, and the completeness of a run of all tiers. */
export type Slow = "raw" | "limits" | "faults" | "matrix";

/** Mutants by name: what they change, and the rule that has to find it. */
export type MutantTable = Readonly<
  Record<string, Mutation | Fault | readonly [Mutation | Fault, check: string]>
>;
