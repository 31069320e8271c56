import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { cleanUp } from '#platform/testing/clean-up'

/** A TCP proxy in front of a database, which can lose its connections like a database that restarts. */
export interface DatabaseProxy {
  readonly url: string
  /** Cuts all connections, and every new one until `restore`. */
  cut(): void
  restore(): void
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    if (isCut) return void client.destroy()
    const database = connect(Number(target.port), target.hostname)
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(socket)
      socket.pipe(other)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const destroySockets = () => {
    for (const socket of sockets) socket.destroy()
  }
  cleanUp(() => {
    destroySockets()
    server.close()
  })
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    cut: () => {
      isCut = true
      destroySockets()
    },
    restore: () => {
      isCut = false
    },
  }
}
