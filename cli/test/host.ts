/** Runs the built command line for each message, so that Node starts once and not for each command of a test. */
const program = new URL('../dist/quittance.js', import.meta.url).href
const typed = process.argv.slice(0, 2)
const written = { stdout: '', stderr: '' }
const commands: (readonly string[])[] = []

for (const name of ['stdout', 'stderr'] as const) {
  process[name].setMaxListeners(0)
  process[name].write = (chunk: string | Uint8Array) => {
    written[name] += String(chunk)
    return true
  }
}

process.on('message', (args: readonly string[]) => void run(args))

async function run(args: readonly string[]): Promise<void> {
  Object.assign(written, { stdout: '', stderr: '' })
  process.argv = [...typed, ...args]
  process.exitCode = 0
  // Node runs a module again only under another address.
  await import(`${program}?run=${commands.push(args)}`)
  process.send?.({ exitCode: process.exitCode, ...written })
}
