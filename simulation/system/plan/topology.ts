export const TOPOLOGIES = ['all-in-one', 'separate', 'pair'] as const

/**
 * `all-in-one` is one process with its embedded PostgreSQL. `separate` is api and worker processes on a PostgreSQL that
 * crashes and recovers; in `pair` that database is a primary with a synchronous replica, and fails over.
 */
export type Topology = (typeof TOPOLOGIES)[number]
