import pg from 'pg'

/**
 * Where connections go.
 * - `Client`: Connects to the host that takes writes.
 * - `ready`: Resolves once such a host is known. Throws after 5 s.
 * - `retriesAfter`: Whether a connection that failed with this error may be tried again after `ready`.
 */
export interface Hosts {
  readonly Client: new (config?: pg.ClientConfig) => pg.Client
  ready(timeoutMs?: number): Promise<void>
  retriesAfter(error: unknown): boolean
  close(): Promise<void>
}

export function singleHost(url: string): Hosts {
  return {
    Client: class extends pg.Client {
      constructor(config: pg.ClientConfig = {}) {
        super({ ...config, connectionString: url })
      }
    },
    ready: async () => {},
    retriesAfter: () => false,
    close: async () => {},
  }
}
