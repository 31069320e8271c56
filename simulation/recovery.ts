/** The program behind `npm run test:recovery`. Needs postgresql-15 and pgbackrest of Debian. Exits 1 when something is wrong. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { ACQUIRERS } from './acquirers/index.ts'
import { recover } from './recovery/recover.ts'

const { values } = parseArgs({
  options: {
    acquirer: { type: 'string' },
    plans: { type: 'string', default: '40' },
    orders: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(randomInt(0x7fff_ffff)) },
  },
})
const chosen = ACQUIRERS.filter((name) => values.acquirer === undefined || values.acquirer === name)
if (chosen.length === 0) throw new Error(`--acquirer must be one of ${ACQUIRERS.join(', ')}.`)
for (const acquirer of chosen) {
  const log = (message: string) => console.log(`${acquirer}: ${message}`)
  const startedAtMs = performance.now()
  const findings = await recover({
    acquirer,
    seed: Number(values.seed),
    plans: Number(values.plans),
    orders: Number(values.orders),
    log,
  })
  for (const finding of findings) log(`FOUND: ${finding}`)
  log(
    `${findings.length} findings after ${Math.round((performance.now() - startedAtMs) / 1000)} s (seed ${values.seed})`,
  )
  if (findings.length > 0) process.exitCode = 1
}
