import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Spreads connections over the processes that are ready, as a load balancer does. */
export class Balancer {
  readonly #server = createServer((socket) => this.#forward(socket))
  #ports: readonly number[] = []
  #next = 0

  static async start(): Promise<Balancer> {
    const balancer = new Balancer()
    balancer.#server.listen(0, '127.0.0.1')
    await once(balancer.#server, 'listening')
    return balancer
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  use(ports: readonly number[]): void {
    this.#ports = ports
  }

  close(): void {
    this.#server.close()
  }

  #forward(client: Socket): void {
    client.on('error', () => {})
    const port = this.#ports[this.#next++ % Math.max(1, this.#ports.length)]
    if (port === undefined) return void client.destroy()
    const server = connect(port, '127.0.0.1')
    server.on('error', () => client.destroy())
    server.on('close', () => client.destroy())
    client.on('close', () => server.destroy())
    client.pipe(server)
    server.pipe(client)
  }
}
