import type pg from 'pg'
import { findCluster } from '#platform/postgres/citus/setup/migrate-cluster'
import { type Deployment, ONE_POSTGRES } from '#platform/postgres/migrations/deployment'

export async function deploymentAt(gate: pg.Client, url: string): Promise<Deployment> {
  return (await findCluster(gate, url)) ?? ONE_POSTGRES
}
