import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { OperatorError } from '#kernel/operator-error'

/** Another simulator keeps its books in the directory. */
class SimulatorInUse extends OperatorError {
  constructor(directory: string) {
    super(
      `Another simulator keeps its books in ${directory}. Stop it first, or set another DATA_DIR or SIMULATOR_DIR.`,
    )
  }
}

/**
 * Keeps a second simulator away from the same books: two of them would book a key twice. Linux gives up an abstract
 * socket with its process, however that ends, so a SIGKILL leaves no stale lock. Elsewhere (macOS, for development)
 * nothing is locked but the port.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  if (process.platform !== 'linux') return async () => {}
  mkdirSync(directory, { recursive: true, mode: 0o700 })
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
