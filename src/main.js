// @ts-check
/**
 * The entry point. It runs the bundle of the program, or its sources where they have changed since, and enables Node's compile
 * cache before loading anything else: loading is most of a start, and its garbage is much of an idle service's memory. With source
 * maps the stacks of a bundle name the sources. It is JavaScript because a TypeScript entry outside the cache makes Node load a
 * compiler that keeps 20 MB.
 */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { BUNDLE, isBundled } from './bundle.js'

/*
 * Next to the packages, because unlike in /tmp only those who may change the program can write there. If the directory is
 * read-only, the program runs without the cache.
 */
enableCompileCache({ directory: join(import.meta.dirname, '../node_modules/.cache/quittance') })

/*
 * V8 lets the heap grow to four times the live data before it collects: 400 MB in a billing run that uses 70 MB. Collecting at
 * 1.4 times costs 5 % of the run's CPU time. Three more settings must be on the command line, in `npm start`:
 * `--max-semi-space-size` saves 40 MB at the same speed, and with `--min-semi-space-size` a start takes a sixth less CPU time and
 * 3 MB more. `--v8-pool-size` limits V8 to one helper thread. With four, on two processors, a card decision waited up to 90 ms and
 * webhook throughput fell by a tenth.
 */
setFlagsFromString('--heap-growing-percent=40')

const bundled = isBundled()
if (bundled) process.setSourceMapsEnabled(true)
await (bundled ? import(join(BUNDLE, 'program.js')) : import('./program.ts'))
