import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { freePort } from '#platform/embedded-postgres/free-port'
import { newId } from '#kernel/ids'
import { createOnServers, dropOnServers, withDatabase } from '#platform/testing/postgres'
import { runInProcess } from '../src/commands/testing/run-in-process.ts'
import { Client } from './harness/client.ts'
import { startService } from './harness/service.ts'

const BILLING = '/svc/billing/api/v1/openapi'
const ADDRESS = { line1: 'Gasse 1', postal_code: '10115', city: 'Berlin', country: 'DE' }

interface Document {
  readonly type: string
  readonly number: string
  readonly payment_reference: string
}

const serverUrl = inject('postgresUrl')
const [lost, restored] = [newId('lost'), newId('restored')]
await createOnServers(serverUrl, [], lost, inject('plainTemplateDatabase'))
const dataDir = await mkdtemp(join(tmpdir(), 'quittance-restored-'))
const port = await freePort()
const start = (database: string) =>
  startService({ dataDir, port, env: { DATABASE_URL: withDatabase(serverUrl, database), RATE_LIMIT: '0' } })
let service = await start(lost)
afterAll(async () => {
  await service.stop()
  await dropOnServers(serverUrl, [], lost)
  await dropOnServers(serverUrl, [], restored)
  await rm(dataDir, { recursive: true, force: true })
})

// Proves reference/operations#recovery, reference/billing-invoices#numbers, reference/operations#verify.
test('after a restore no number that was given in the lost time is given again, and the gaps are named', async () => {
  const client = new Client(service.sandbox)
  const entityWith = async (series: object[]): Promise<string> => {
    const members = { name: 'Kiln GmbH', address: ADDRESS, registrations: [], series }
    const { legal_entity: entity } = await client.ok('POST', `${BILLING}/legal_entities`, {
      legal_entity: members,
    })
    return entity.id
  }
  const used = await entityWith([])
  const unused = await entityWith([
    { key: 'a', invoice_format: 'N-{SEQ:4}', credit_note_format: 'C-{SEQ:4}', first_number: 50 },
  ])
  const { uuid } = await client.createCustomer()
  const invoiceOf = async (entity: string): Promise<Document & { id: string }> =>
    (
      await client.ok('POST', `${BILLING}/invoices`, {
        invoice: {
          customer_uuid: uuid,
          currency: 'HKD',
          lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
          legal_entity_id: entity,
          collection: 'send_invoice',
          days_until_due: 3_000,
        },
      })
    ).invoice
  const noteOn = async ({ id }: { id: string }): Promise<Document> => {
    const members = { credit_note: { amount: 1, reason: 'Late' } }
    return (await client.ok('POST', `${BILLING}/invoices/${id}/credit_notes`, members)).credit_note
  }
  const issue = async (): Promise<Document[]> => {
    const [first, second] = [await invoiceOf(used), await invoiceOf(used)]
    return [first, second, await noteOn(first), await noteOn(second)]
  }
  const nextYear = async (): Promise<void> => {
    const { year } = (await client.now()).toZonedDateTimeISO('Asia/Hong_Kong')
    await client.advanceTo(`${year + 1}-01-02T00:00:00Z`)
  }
  const issueInAll = async (): Promise<Document[]> => {
    const thisYear = [...(await issue()), await invoiceOf(unused)]
    await nextYear()
    return [...thisYear, ...(await issue()), await noteOn(await invoiceOf(unused))]
  }
  const { year } = (await client.now()).toZonedDateTimeISO('Asia/Hong_Kong')
  const kept = await issue()
  await service.stop()
  await createOnServers(serverUrl, [], restored, lost)
  const since = new Date().toISOString()

  service = await start(lost)
  const gone = await issueInAll()
  await service.stop()

  const env = { ...service.env, DATABASE_URL: withDatabase(serverUrl, restored) }
  const recover = async (): Promise<{ skipped: { document_numbers: number } | null }> => {
    const { exitCode, stdout } = await runInProcess(env, ['recovered', '--since', since, '--json'])
    expect(exitCode).toBe(0)
    return JSON.parse(stdout)
  }
  const count = (await recover()).skipped?.document_numbers ?? 0
  expect(count).toBeGreaterThanOrEqual(1_000)
  expect((await recover()).skipped).toBeNull()

  service = await start(restored)
  const given = await issueInAll()
  const all = [...kept, ...gone, ...given]
  expect(new Set(all.map(({ number }) => number)).size).toBe(all.length)
  // A credit note has the payment reference of its invoice.
  const references = all.flatMap((document) =>
    document.type === 'invoice' ? [document.payment_reference] : [],
  )
  expect(new Set(references).size).toBe(references.length)
  const last = (part: number) => part + count - 1
  const gap = (type: string, from: number, ofYear?: number) => ({
    type,
    ...(ofYear !== undefined && { year: ofYear }),
    from,
    to: last(from),
    reason: 'recovered',
  })
  const gapsOf = async (id: string) =>
    (await client.ok('GET', `${BILLING}/legal_entities/${id}`)).legal_entity.series
  expect(await gapsOf(used)).toMatchObject([
    {
      key: 'default',
      gaps: [
        gap('invoice', 3, year),
        gap('credit_note', 3, year),
        gap('invoice', 1, year + 1),
        gap('credit_note', 1, year + 1),
      ],
    },
  ])
  expect(await gapsOf(unused)).toMatchObject([
    { key: 'a', gaps: [gap('invoice', 50), gap('credit_note', 50)] },
  ])
  const later = await entityWith([
    { key: 'a', invoice_format: 'L-{SEQ:4}', credit_note_format: 'LC-{SEQ:4}' },
  ])
  expect((await invoiceOf(later)).number).toBe('L-0001')
  const verified = await runInProcess(service.env, ['verify', '--json'])
  const { breaches, gaps } = JSON.parse(verified.stdout)
  expect([verified.exitCode, breaches]).toEqual([0, []])
  expect(gaps).toHaveLength(6)
  expect(gaps).toContainEqual({
    business_id: expect.any(String) as string,
    legal_entity_id: used,
    series: 'default',
    ...gap('invoice', 3, year),
  })
}, 300_000)
