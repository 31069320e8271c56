import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { Database } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import { createJobMetrics } from '#platform/jobs/job-metrics'
import { standAt } from '#platform/testing/clock'
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

test('Prometheus is told how long due work has waited, by job, but of a clock that is being advanced', async () => {
  const { figure } = metricsOf(db)
  const { businessId } = await createTestBusiness(database)
  await db.transact(businessId, async (tx) => {
    await scheduleJob(tx, 'chores', tx.now.subtract({ minutes: 5 }))
    await scheduleJob(tx, 'later', tx.now.add({ minutes: 5 }))
  })
  expect(await figure('jobs_late_seconds')).toEqual([
    { job: 'chores', value: expect.closeTo(300, -1) as number },
  ])
  await db.transact(businessId, (tx) => standAt(db, businessId, tx.now))
  expect(await figure('jobs_late_seconds')).toEqual([])
})

test('failures of due work are counted by job', async () => {
  const { metrics, figure } = metricsOf(db)
  metrics.countFailure('chores')
  metrics.countFailure('chores')
  expect(await figure('job_failures_total')).toEqual([{ job: 'chores', value: 2 }])
})

test('while the database is away there is no figure of what it holds', async () => {
  const away = new Database({ url: database.url })
  await away.close()
  expect(await metricsOf(away).figure('jobs_late_seconds')).toEqual([])
})
