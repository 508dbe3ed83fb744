/**
 * @module A mutant: a small fault put in front of a running service, or into its settings, so that
 * the harness can be shown to notice. Only what goes over the wire is changed: the service itself
 * is not looked into.
 */

/** A request on its way to the service. */
export interface ProxiedRequest {
  readonly method: string;
  /** With its query. */
  readonly target: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What the mutant has put there itself: one for each instance of the service. */
  readonly memory: Map<string, number>;
}

/** An answer on its way back; a mutant returns another one. */
export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What follows an answer that must not have a body. */
  readonly surplus?: string;
  /** Comes so much later, in milliseconds. */
  readonly late?: number;
  /** The connection is closed after so many bytes, without a word. */
  readonly cut?: number;
}

/** Makes another answer of an answer. */
export type Mutation = (reply: Reply, passing: ProxiedRequest) => Reply;

/** What a mutant changes of a request; a header that is undefined is taken away. */
export interface Change {
  readonly method?: string;
  readonly target?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** What is done to what passes; with none of it, nothing is. */
export interface ProxyFault {
  /** Changes the answer. */
  readonly reply?: Mutation;
  /** Changes the request, so that the service judges something else than was sent. */
  readonly request?: (passing: ProxiedRequest) => Change;
  /** Sends this after an answer, as a service that counts too much would. */
  readonly also?: (reply: Reply, passing: ProxiedRequest) => string | undefined;
  /** For how long a request that is not whole is kept from the service, in milliseconds. */
  readonly patience?: number;
}

/** What is done to a service. */
export interface Fault extends ProxyFault {
  /** Changes the settings of every instance that is started. */
  readonly env?: (given: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
}

/** A seeded fault. */
export interface Mutant extends Fault {
  /** One sentence: what is wrong with this service. */
  readonly name: string;
  /** The one that has to notice. */
  readonly by?: Slow;
  /** The rule that has to find it, for one fault at least of each rule. */
  readonly check?: string;
}

/**
 * What takes long: tiers, and completeness, which takes all of them. Where nothing is said, what is
 * quick has to notice.
 */
export type Slow = "raw" | "limits" | "faults" | "matrix";

/** Mutants by name: what they change, and the rule that has to find it. */
export type MutantTable = Readonly<
  Record<string, Mutation | Fault | readonly [Mutation | Fault, check: string]>
>;
