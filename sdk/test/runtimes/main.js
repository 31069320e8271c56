/** Runs the program on Node, Bun or Deno. Configuration and result are JSON: an environment variable, and standard output. */
import process from 'node:process'
import { run } from './program.js'

const proved = await run(JSON.parse(process.env.SDK_TEST_CONFIG))
console.log(JSON.stringify(proved))
