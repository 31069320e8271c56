import { Counter, type Registry } from 'prom-client'

export function createEventMetrics(registry: Registry): (type: string) => void {
  const written = new Counter({
    name: 'events_written_total',
    help: 'Events that were written, by type. A transaction that is run again counts twice.',
    labelNames: ['type'] as const,
    registers: [registry],
  })
  return (type) => written.inc({ type })
}
