// @ts-check
/** Loaded into the service: on SIGUSR2 it writes how many bytes V8 has allocated since the start. */
import { writeFileSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'

process.on('SIGUSR2', () => {
  const { total_allocated_bytes: bytes } = /** @type {{ total_allocated_bytes: number }} */ (
    /** @type {unknown} */ (getHeapStatistics())
  )
  writeFileSync(process.env['HEAP_COUNTER_FILE'] ?? '', String(bytes))
})
