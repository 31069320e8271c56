export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export interface TracingSettings {
  readonly url: string
  readonly sampler: (typeof SAMPLERS)[number]
  readonly ratio: number
  readonly delayMs: number
  readonly maxQueued: number
}
