import type pg from 'pg'
import { distribute, hideCitus, useOneConnectionForEachNode } from '#platform/postgres/citus/setup/distribute'
import { checkPrerequisites, findCitus } from '#platform/postgres/citus/setup/prerequisites'
import {
  createAllShardViews,
  dropViewsOfOldVersions,
  migrateBesideViews,
} from '#platform/postgres/citus/shard-views'
import { oneByOne } from '#platform/postgres/citus/setup/statements'
import type { Deployment } from '#platform/postgres/migrations/deployment'
import { versionsAtWork } from '#platform/postgres/migrations/older-processes'

export async function findCluster(gate: pg.Client, url: string): Promise<Deployment | undefined> {
  const found = await findCitus(gate)
  if (found === undefined) return undefined
  let { isDistributed } = found
  let isNew = false
  return {
    check: async () => {
      if (!isDistributed) await checkPrerequisites(gate)
    },
    run: async (client, pending, run) => {
      // Another process may have distributed the tables before this one got the lock.
      isDistributed = (await findCitus(gate))?.isDistributed ?? false
      if (isDistributed) {
        await useOneConnectionForEachNode(client)
        return migrateBesideViews(url, pending, () => run(oneByOne(client)))
      }
      await hideCitus(client)
      return run(client)
    },
    complete: async (client) => {
      isNew = await distribute(client)
    },
    finish: async (newest, hasRun) => {
      if (!isNew && !(isDistributed && hasRun)) return
      await createAllShardViews(url, newest)
      await dropViewsOfOldVersions(url, [newest, ...(await versionsAtWork(gate))])
    },
  }
}
