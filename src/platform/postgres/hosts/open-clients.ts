import pg from 'pg'
import { wire } from '#platform/postgres/wire/current-wire'

type ClientClass = new (config?: pg.ClientConfig) => pg.Client

export class OpenClients<Host extends { readonly url: string }> {
  readonly #hosts = new Map<pg.Client, Host>()

  connectingTo(hostNow: () => Host): ClientClass {
    const begin = (client: pg.Client, host: Host) => this.#begin(client, host)
    return class extends pg.Client {
      constructor(config: pg.ClientConfig = {}) {
        const host = hostNow()
        super({ ...config, connectionString: host.url })
        begin(this, host)
      }
    }
  }

  /** Statements under way fail now, instead of after the 30 s for which we wait for a silent server. */
  cut(isLost: (host: Host) => boolean, reason: string): void {
    for (const [client, host] of this.#hosts) {
      if (!isLost(host)) continue
      this.#hosts.delete(client)
      wire.disconnect(client)
      client.emit('error', new Error(`Connection terminated: ${reason}`))
    }
  }

  #begin(client: pg.Client, host: Host): void {
    client.on('error', () => {})
    client.once('end', () => this.#hosts.delete(client))
    this.#hosts.set(client, host)
  }
}
