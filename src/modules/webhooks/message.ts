import { type Instant, toRfc3339 } from '#kernel/clock'

/** What a receiver is sent: `{type, timestamp, data, sequence}` (decisions, section 8). */
export interface Message {
  readonly type: string
  /** The business's time of the change. */
  readonly timestamp: Instant
  readonly sequence: number
  /** JSON text, passed on with every digit. */
  readonly data: string
}

/**
 * The body. `data` is always whole, though Standard Webhooks advises bodies of 20 kB at most: a receiver that reads
 * `data.order.state` must not depend on how many lines an order has. What an order or a plan can hold is bounded.
 */
export function bodyOf({ type, timestamp, data, sequence }: Message): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${toRfc3339(timestamp)}","data":${data},"sequence":${sequence}}`
}
