import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { cleanUp } from '#platform/testing/clean-up'

export interface DatabaseProxy {
  readonly url: string
  cut(): void
  fallSilent(): void
  restore(): void
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let state: 'open' | 'cut' | 'silent' = 'open'
  const server = createServer((client) => {
    if (state === 'cut') return void client.destroy()
    const database = connect(Number(target.port), target.hostname)
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(socket)
      if (state === 'silent') socket.resume()
      else socket.pipe(other)
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
      state = 'cut'
      destroySockets()
    },
    fallSilent: () => {
      state = 'silent'
      for (const socket of sockets) socket.unpipe().resume()
    },
    restore: () => {
      state = 'open'
    },
  }
}
