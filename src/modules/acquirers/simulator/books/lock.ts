import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { OperatorError } from '#kernel/operator-error'
import { makeDataDirectory } from '#platform/data-directory'

class SimulatorInUse extends OperatorError {
  constructor(directory: string) {
    super(
      `Another simulator is using the books in ${directory}. Stop it first, or set a different DATA_DIR or SIMULATOR_DIR.`,
    )
  }
}

/**
 * Prevents two simulators from sharing books, since together they could book a key twice. Linux releases an abstract
 * socket with its process, so SIGKILL leaves no stale lock. On other systems (macOS, for development) only the port
 * protects the books.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  if (process.platform !== 'linux') return async () => {}
  makeDataDirectory(directory, 'DATA_DIR or SIMULATOR_DIR')
  const name = createHash('sha256').update(realpathSync(directory)).digest('hex')
  const socket = createServer()
  await new Promise<void>((resolve, reject) => {
    socket.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new SimulatorInUse(directory) : error)
    })
    socket.listen(`\0quittance-simulator-${name}`, resolve)
  })
  socket.unref()
  return () => new Promise((resolve) => socket.close(() => resolve()))
}
