export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/**
 * - `url`: Where OTLP/HTTP takes traces, such as http://127.0.0.1:4318/v1/traces.
 * - `ratio`: The share of traces that a sampler with a ratio keeps, from 0 to 1.
 * - `delayMs`: How long spans are collected before they are sent.
 * - `maxQueued`: Spans beyond these are dropped.
 */
export interface TracingSettings {
  readonly url: string
  readonly sampler: (typeof SAMPLERS)[number]
  readonly ratio: number
  readonly delayMs: number
  readonly maxQueued: number
}
