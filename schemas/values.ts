/** @module Values that several rooms share: the configuration reads them, leads and pages use them. */

/** `count` requests within `windowMs` milliseconds. */
export interface Allowance {
  readonly count: number;
  readonly windowMs: number;
}

/** A key and the name under which sealed content remembers it. */
export interface SealingKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** What crawlers may use the texts for (contentsignals.org). */
export interface ContentSignal {
  /** Show them among search results. */
  readonly search: boolean;
  /** Answer questions from them: grounding, assistants. */
  readonly aiInput: boolean;
  /** Train models on them. */
  readonly aiTrain: boolean;
}
