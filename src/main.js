// @ts-check
/**
 * The way in. Loading is half of a start, and what it leaves behind a third of the memory of an idle
 * service; so it goes through Node's compile cache, and everything else is in `program.ts`. The one file
 * in JavaScript: for a TypeScript file outside the cache Node loads a compiler, which stays in memory with 20 MB.
 */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

// Beside the packages: only who may change the program may write there, unlike /tmp. Where it cannot
// be written the program is compiled as without it.
enableCompileCache({ directory: join(import.meta.dirname, '../node_modules/.cache/quittance') })

// By default V8 lets garbage grow to four times of what is in use before it collects it: 400 MB in a
// billing run that uses 70. Collecting at 1.4 times costs a twentieth of the run's CPU time. `npm start` tells V8
// what nothing here can any more: the space for what is new (`--max-semi-space-size`, 40 MB less at the same speed), and
// one thread that helps it collect and compile instead of four (`--v8-pool-size`). On two processors four kept PostgreSQL
// and the callers waiting: a card's decision for up to 90 ms, and a tenth fewer webhooks were delivered.
setFlagsFromString('--heap-growing-percent=40')

await import('./program.ts')
