/**
 * The time of the service's process for a payment at the twin of a real acquirer, as a ratio to one at the simulator, by
 * turns. A real acquirer takes one request and one commit more for each payment. `--notices` adds the acquirer's webhooks.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ACQUIRERS, createAcquirer } from '../simulation/acquirers/index.ts'
import { Merchant } from '../simulation/system/actors/merchant.ts'
import { payOrders } from './order-pay.ts'
import { median } from './support/report.ts'
import { type BenchService, startBenchService } from './support/service.ts'

const AIM = 1.3
const ROUNDS = 5
const SECONDS = process.argv.includes('--short') ? 2 : 6

interface Payer {
  readonly customerUuid: string
  readonly token: string
}

async function newPayer(client: Merchant, card: (customerUuid: string) => Promise<object>): Promise<Payer> {
  const { uuid: customerUuid } = await client.createCustomer()
  const { token, state } = await client.bind(customerUuid, await card(customerUuid))
  if (state !== 'active') throw new Error(`the card is ${state}`)
  return { customerUuid, token }
}

async function cpuMsPerPayment(service: BenchService, { customerUuid, token }: Payer): Promise<number> {
  const before = await service.cpu()
  const rate = await payOrders(service, customerUuid, token, SECONDS)
  const after = await service.cpu()
  return ((after.service - before.service) / (rate * SECONDS)) * 1_000
}

for (const name of ACQUIRERS.filter((one) => one !== 'simulator')) {
  const directory = await mkdtemp(join(tmpdir(), 'quittance-bench-twin-'))
  const twin = createAcquirer(name, directory)
  const service = await startBenchService()
  try {
    await twin.start()
    const client = new Merchant(service.client.sandbox, new AbortController().signal)
    const simulator = createAcquirer('simulator', directory)
    const simulated = await newPayer(client, (uuid) => simulator.newCard(uuid, 'approves'))
    // A notice costs a payment as much as the adapter does, and waits for nobody.
    await twin.connect(client, { sendsNotices: process.argv.includes('--notices') })
    const real = await newPayer(client, (uuid) => twin.newCard(uuid, 'approves'))
    const figures: { simulator: number; twin: number }[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const figure = {
        simulator: await cpuMsPerPayment(service, simulated),
        twin: await cpuMsPerPayment(service, real),
      }
      // The first round warms up.
      if (round > 0) figures.push(figure)
    }
    const ratio = median(figures.map((figure) => figure.twin / figure.simulator))
    console.log(
      `${name}: ${median(figures.map((figure) => figure.twin)).toFixed(2)} ms of the service's processor per payment; ` +
        `simulator: ${median(figures.map((figure) => figure.simulator)).toFixed(2)}; ratio ${ratio.toFixed(2)}, aim ${AIM}`,
    )
  } finally {
    await twin.kill().catch(() => {})
    await service.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
