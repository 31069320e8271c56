/** The program behind `npm run simulate:upgrade`. Exits 1 when a guarantee is broken. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { migrateOlderDatabases } from './upgrade/older-databases.ts'
import { replaceThisVersion } from './upgrade/replace.ts'

const { values } = parseArgs({
  options: {
    plans: { type: 'string', default: '100' },
    orders: { type: 'string', default: '150' },
    months: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(randomInt(0x7fff_ffff)) },
  },
})
const options = {
  seed: Number(values.seed),
  plans: Number(values.plans),
  orders: Number(values.orders),
  months: Number(values.months),
  log: (message: string) => console.log(message),
}
console.log(`seed ${values.seed}`)
report('Databases of every older migration', await migrateOlderDatabases(options.log))
report('This version was replaced by one with another migration', await replaceThisVersion(options))

function report(what: string, findings: readonly string[]): void {
  for (const finding of findings) console.log(`FOUND: ${finding}`)
  console.log(`${what}: ${findings.length} findings.`)
  if (findings.length > 0) process.exitCode = 1
}
