import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { type QueueObserver, SHEDDABLE } from '#platform/admission/fair-queue'
import type { LoopObserver } from '#platform/admission/loop-delay'

const WAIT_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 1, 2]

export interface OverloadMetrics {
  readonly queues: QueueObserver
  readonly loop: LoopObserver
}

export function addOverloadMetrics(registry: Registry): OverloadMetrics {
  const waits = new Histogram({
    name: 'database_queue_wait_seconds',
    help: 'How long work that had to queue waited for a connection to the database, by priority.',
    labelNames: ['priority'] as const,
    buckets: WAIT_BUCKETS,
    registers: [registry],
  })
  const refusedByQueues = refusals(
    registry,
    'database_queue_refused_total',
    'Requests refused with 503 overloaded because they waited too long for a connection, by priority.',
  )
  const refusedByLoop = refusals(
    registry,
    'overload_event_loop_refused_total',
    'Requests refused with 503 overloaded because the event loop was late, by priority.',
  )
  let delayMs = () => 0
  const delay: Gauge = new Gauge({
    name: 'overload_event_loop_delay_seconds',
    help: 'The shortest delay of the event loop in a window of at least 200 ms.',
    registers: [registry],
    collect: () => {
      delay.set(delayMs() / 1_000)
    },
  })
  return {
    queues: {
      waited: (priority, ms) => waits.observe({ priority }, ms / 1_000),
      refused: (priority) => refusedByQueues.inc({ priority }),
    },
    loop: {
      refused: (priority) => refusedByLoop.inc({ priority }),
      watch: (read) => {
        delayMs = read
      },
    },
  }
}

function refusals(registry: Registry, name: string, help: string): Counter<'priority'> {
  const counter = new Counter({ name, help, labelNames: ['priority'] as const, registers: [registry] })
  for (const priority of SHEDDABLE) counter.inc({ priority }, 0)
  return counter
}
