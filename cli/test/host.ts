/** Runs the built command line for each message, so that Node starts once and not for each command of a test. */
const program = new URL('../dist/quittance.js', import.meta.url).href
const typed = process.argv.slice(0, 2)
const written = { stdout: '', stderr: '' }
let runs = 0

for (const name of ['stdout', 'stderr'] as const) {
  process[name].setMaxListeners(0)
  process[name].write = (chunk: string | Uint8Array) => {
    written[name] += String(chunk)
    return true
  }
}

process.on('message', async (args: readonly string[]) => {
  Object.assign(written, { stdout: '', stderr: '' })
  process.argv = [...typed, ...args]
  process.exitCode = 0
  await import(`${program}?run=${++runs}`)
  process.send?.({ exitCode: process.exitCode, ...written })
})
