import sql from 'sql-template-tag'
import type { Hosts } from '#platform/postgres/plain/host'
import { OpenClients } from '#platform/postgres/hosts/open-clients'
import { type Sentinel, watchHost } from '#platform/postgres/hosts/sentinel'

/** With less, a node that is only busy would lose its connections. */
const MAX_SILENCE_MS = 8_000

class NodeAway extends Error {
  readonly code = '57P03'
}

/**
 * The connections of all shards to one node. A node that vanished with its machine closes none of them, so they are cut once it
 * has been silent for 8 s, and new work fails at once until it answers.
 */
export class WatchedNode {
  /** For the databases of shards: when one ends, the others continue to use the node. */
  readonly hosts: Hosts
  readonly #sentinel: Sentinel
  #isAway = false

  constructor(url: string, name: string) {
    const clients = new OpenClients<{ readonly url: string }>()
    this.hosts = {
      Client: clients.connectingTo(() => ({ url })),
      ready: async () => {
        if (this.#isAway) throw new NodeAway(`node ${name} does not answer`)
      },
      retriesAfter: () => false,
      close: async () => {},
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
        clients.cut(() => true, `node ${name} does not answer (${reason})`)
      },
    })
  }

  close(): Promise<void> {
    return this.#sentinel.stop()
  }
}
