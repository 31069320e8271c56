import pg from 'pg'
import sql from 'sql-template-tag'
import type { Hosts } from '#platform/postgres/hosts/hosts'
import { type Sentinel, watchHost } from '#platform/postgres/hosts/sentinel'
import { wire } from '#platform/postgres/wire/current-wire'

/** A replica takes over meanwhile. Shorter, and a node that is only busy would lose its connections. */
const MAX_SILENCE_MS = 8_000

class NodeAway extends Error {
  readonly code = '57P03'
}

/**
 * The connections of all shards to one node. A node that vanished with its machine closes none of them, so they are cut once it
 * has been silent for 8 s, and new work fails at once until it answers.
 */
export class WatchedNode implements Hosts {
  readonly Client: Hosts['Client']
  readonly #name: string
  readonly #sentinel: Sentinel
  readonly #clients = new Set<pg.Client>()
  #isAway = false

  constructor(url: string, name: string) {
    this.#name = name
    const begin = (client: pg.Client) => this.#begin(client)
    this.Client = class extends pg.Client {
      constructor(config: pg.ClientConfig = {}) {
        super({ ...config, connectionString: url })
        begin(this)
      }
    }
    this.#sentinel = watchHost({
      url,
      statement: sql`select 1 as one`,
      maxSilenceMs: MAX_SILENCE_MS,
      onRow: () => {
        this.#isAway = false
      },
      onDown: (reason) => {
        this.#isAway = true
        this.#cut(reason)
      },
    })
  }

  async ready(): Promise<void> {
    if (this.#isAway) throw new NodeAway(`node ${this.#name} does not answer`)
  }

  retriesAfter(): boolean {
    return false
  }

  /** Of one shard, whose end leaves the node to the others. */
  ofShard(): Hosts {
    return {
      Client: this.Client,
      ready: () => this.ready(),
      retriesAfter: () => this.retriesAfter(),
      close: async () => {},
    }
  }

  close(): Promise<void> {
    return this.#sentinel.stop()
  }

  #begin(client: pg.Client): void {
    client.on('error', () => {})
    client.once('end', () => this.#clients.delete(client))
    this.#clients.add(client)
  }

  #cut(reason: string): void {
    for (const client of this.#clients) {
      this.#clients.delete(client)
      wire.disconnect(client)
      client.emit('error', new Error(`Connection terminated: node ${this.#name} does not answer (${reason})`))
    }
  }
}
