/** How an acquirer treats requests: the probabilities of errors and lost responses, and a latency. */
export interface AcquirerFaults {
  readonly latency_ms: number
  readonly fail_before: number
  readonly fail_after: number
  readonly lose_answer: number
  readonly seed: number
}

export const NO_FAULTS = { latency_ms: 0, fail_before: 0, fail_after: 0, lose_answer: 0, seed: 0 }
