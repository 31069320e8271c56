/** Draws invoices as PDF: one after another without the service, and a thousand that a service sends singly and as one ZIP. */
import { renderPdf } from '../src/modules/invoices/documents/pdf/render-pdf.ts'
import { exampleInvoice } from '../src/modules/invoices/testing/example-invoice.ts'
import { median } from './support/report.ts'
import { copyPlans, createTemplate } from './support/plans.ts'
import { type BenchService, startBenchService } from './support/service.ts'

const MAX_MS = 150
const MAX_GROWTH_MB = 100
const LINES = 10
const WARM_UP = 5
const BILLING = '/svc/billing/api/v1/openapi'

async function drawOne(times: number): Promise<void> {
  const lines = Array.from({ length: LINES }, (_, index) => ({
    label: `Łódź plan ${index + 1}`,
    unitAmount: '99.90',
    period: { start: '2027-06-14T22:00:00Z', end: '2027-07-14T22:00:00Z' },
  }))
  const invoice = exampleInvoice(lines)
  const options = {
    language: 'en',
    timeZone: 'Europe/Berlin',
    isTest: false,
    logo: null,
    paymentLink: 'https://pay.example.com/pay/ord_1',
    moved: [],
  }
  const tookMs: number[] = []
  for (let count = 0; count < WARM_UP + times; count++) {
    const startedAtMs = performance.now()
    await renderPdf(invoice, options)
    if (count >= WARM_UP) tookMs.push(performance.now() - startedAtMs)
  }
  console.log(`a PDF of ${LINES} lines: ${median(tookMs).toFixed(0)} ms (median of ${times}), aim ${MAX_MS}`)
}

/** @returns the newest invoice */
async function issue(service: BenchService, count: number): Promise<{ id: string; issue_date: string }> {
  const { client } = service
  const startAt = (await client.now()).add({ hours: 24 })
  const template = await createTemplate(service, startAt, { isInvoiced: true })
  await copyPlans(service, template, count - 1)
  await client.advanceBy('P2D')
  const { invoices } = await client.ok('GET', `${BILLING}/invoices?limit=1`)
  return invoices[0]
}

/** @returns the number of bytes, which are not kept */
async function read({ client: { sandbox } }: BenchService, path: string): Promise<number> {
  const response = await fetch(`${sandbox.base_url}${BILLING}/invoices/${path}`, {
    headers: { authorization: `Bearer ${sandbox.api_key}` },
  })
  if (response.status !== 200 || response.body === null) throw new Error(`${path}: ${response.status}`)
  let bytes = 0
  for await (const chunk of response.body) bytes += chunk.byteLength
  return bytes
}

async function measured(service: BenchService, what: string, count: number, work: () => Promise<number>) {
  await service.resetPeakMemory()
  const before = await service.peakMemoryMb()
  const startedAtMs = performance.now()
  const bytes = await work()
  const seconds = (performance.now() - startedAtMs) / 1_000
  const growth = (await service.peakMemoryMb()) - before
  console.log(
    `${count} PDFs ${what}: ${(count / seconds).toFixed(1)} a second, ${(bytes / count / 1_024).toFixed(0)} kB each; ` +
      `memory of the service grew by ${growth.toFixed(0)} MB, aim ${MAX_GROWTH_MB}`,
  )
}

async function download(service: BenchService, count: number): Promise<void> {
  const { id, issue_date: issueDate } = await issue(service, count)
  const one = () => read(service, `${id}/document?format=pdf`)
  for (let warm = 0; warm < WARM_UP; warm++) await one()
  await measured(service, 'one by one', count, async () => {
    let bytes = 0
    for (let done = 0; done < count; done++) bytes += await one()
    return bytes
  })
  await measured(service, 'of a month as a ZIP', count, () =>
    read(service, `export.zip?month=${issueDate.slice(0, 7)}`),
  )
}

const [count = 1_000] = process.argv.slice(2).map(Number)
const service = await startBenchService()
try {
  await drawOne(50)
  await download(service, count)
} finally {
  await service.stop()
}
