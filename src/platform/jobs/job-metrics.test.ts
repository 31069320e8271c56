import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import type { Database } from '#platform/postgres/database'
import { PlainDatabase } from '#platform/postgres/plain/plain-database'
import { scheduleJob } from '#platform/jobs/jobs'
import { createJobMetrics } from '#platform/jobs/job-metrics'
import { freezeClock } from '#platform/testing/clock'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'

const database = await createTestDatabase()
const { db } = database

function metricsOf(from: Database) {
  const registry = new Registry()
  const metrics = createJobMetrics(registry, from)
  const figure = async (name: string) => {
    const found = await registry.getSingleMetric(name)?.get()
    return found?.values.map(({ labels, value }) => ({ ...labels, value }))
  }
  return { metrics, figure }
}

// Proves reference/operations#metrics.
test('the metric says how late each job is, except while a clock is being advanced', async () => {
  const { figure } = metricsOf(db)
  const { businessId } = await createTestBusiness(database)
  await db.transact(businessId, async (tx) => {
    await scheduleJob(tx, 'chores', tx.now.subtract({ minutes: 5 }))
    await scheduleJob(tx, 'later', tx.now.add({ minutes: 5 }))
  })
  expect(await figure('jobs_late_seconds')).toEqual([
    { job: 'chores', value: expect.closeTo(300, -1) as number },
  ])
  await db.transact(businessId, (tx) => freezeClock(db, businessId, tx.now))
  expect(await figure('jobs_late_seconds')).toEqual([])
})

test('failed runs are counted by job', async () => {
  const { metrics, figure } = metricsOf(db)
  metrics.countFailure('chores')
  metrics.countFailure('chores')
  expect(await figure('job_failures_total')).toEqual([{ job: 'chores', value: 2 }])
})

test('metrics read from the database are absent while it cannot be reached', async () => {
  const away = new PlainDatabase({ url: database.url })
  await away.close()
  expect(await metricsOf(away).figure('jobs_late_seconds')).toEqual([])
})
