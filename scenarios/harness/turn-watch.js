// @ts-check
/**
 * Loaded into a service: on SIGUSR2 it writes the longest turn of the event loop since the last SIGUSR2, in ms of the main thread's
 * processor time, which other processes do not lengthen.
 */
import { renameSync, writeFileSync } from 'node:fs'

const EVERY_MS = 5
const file = process.env['TURN_WATCH_FILE'] ?? ''
let longestMs = 0
/** @type {NodeJS.CpuUsage | undefined} */
let last

function look() {
  const { user, system } = process.threadCpuUsage(last)
  if (last !== undefined) longestMs = Math.max(longestMs, (user + system) / 1000)
  last = process.threadCpuUsage()
}

process.on('SIGUSR2', () => {
  if (last === undefined) setInterval(look, EVERY_MS).unref()
  look()
  // Renamed, so that nobody reads half of it.
  writeFileSync(`${file}.new`, String(longestMs))
  renameSync(`${file}.new`, file)
  longestMs = 0
})
