#!/usr/bin/env node
import { existsSync } from 'node:fs'

const program = new URL('../dist/quittance.js', import.meta.url)
if (existsSync(program)) {
  await import(program.href)
} else {
  process.stderr.write('The command line is not built yet. Run: npm run build --workspace cli\n')
  process.exitCode = 1
}
