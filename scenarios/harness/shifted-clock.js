// @ts-check
/** Loaded into a service: on SIGUSR2 its real clock goes ahead by the milliseconds in CLOCK_FILE, which it then removes. */
import { readFileSync, rmSync } from 'node:fs'

const now = Date.now
const file = process.env['CLOCK_FILE'] ?? ''
let aheadMs = 0

Date.now = () => now() + aheadMs
process.on('SIGUSR2', () => {
  aheadMs = Number(readFileSync(file, 'utf8'))
  rmSync(file)
})
