/** Draws invoices as PDF: one after another without the service, and a thousand that are downloaded from a service. */
import { renderPdf } from '../src/modules/invoices/documents/pdf/render-pdf.ts'
import { exampleInvoice } from '../src/modules/invoices/testing/example-invoice.ts'
import { median } from './support/report.ts'
import { createTemplate } from './support/plans.ts'
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
  }
  const tookMs: number[] = []
  for (let count = 0; count < WARM_UP + times; count++) {
    const startedAtMs = performance.now()
    await renderPdf(invoice, options)
    if (count >= WARM_UP) tookMs.push(performance.now() - startedAtMs)
  }
  console.log(`a PDF of ${LINES} lines: ${median(tookMs).toFixed(0)} ms (median of ${times}), aim ${MAX_MS}`)
}

async function download(service: BenchService, count: number): Promise<void> {
  const { client } = service
  await createTemplate(service, (await client.now()).add({ hours: 24 }), { isInvoiced: true })
  await client.advanceBy('P2D')
  const { invoices } = await client.ok('GET', `${BILLING}/invoices?limit=1`)
  const url = `${client.sandbox.base_url}${BILLING}/invoices/${invoices[0].id}/document?format=pdf`
  const read = async (): Promise<number> => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${client.sandbox.api_key}` } })
    if (response.status !== 200) throw new Error(`a PDF got ${response.status}: ${await response.text()}`)
    return (await response.arrayBuffer()).byteLength
  }
  for (let warm = 0; warm < WARM_UP; warm++) await read()
  await service.resetPeakMemory()
  const before = await service.peakMemoryMb()
  const startedAtMs = performance.now()
  let bytes = 0
  for (let done = 0; done < count; done++) bytes += await read()
  const seconds = (performance.now() - startedAtMs) / 1_000
  const growth = (await service.peakMemoryMb()) - before
  console.log(
    `${count} PDFs downloaded: ${(count / seconds).toFixed(1)} a second, ${(bytes / count / 1_024).toFixed(0)} kB each; ` +
      `memory of the service grew by ${growth.toFixed(0)} MB, aim ${MAX_GROWTH_MB}`,
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
