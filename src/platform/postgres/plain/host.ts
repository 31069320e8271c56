import pg from 'pg'

/** - `ready`: Resolves once a host that takes writes is known. Throws after 5 s. */
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
