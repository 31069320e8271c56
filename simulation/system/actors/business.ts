import type { SandboxFile } from '../../../src/sandbox-file.ts'
import { PAYMENTS } from '../../../scenarios/harness/client.ts'
import type { SimulatedAcquirer } from '../../acquirers/index.ts'
import { Merchant } from '../../workload/merchant.ts'
import { type CardBehavior, PRICES_HKD_MINOR } from '../../workload/workload-choices.ts'
import { createItem, createPayer, type Payer, tryPayer } from '../../workload/workload.ts'
import type { CardModel } from '../model/card-model.ts'
import type { OrderModel } from '../model/order-model.ts'
import type { PlanModel } from '../model/plan-model.ts'
import { Receiver } from '../world/receiver.ts'
import type { World } from '../world/world.ts'

export const EVENTS = '/svc/event/api/v1/openapi'
export const WALLETS = '/svc/ts/api/v1/openapi/digital_wallets'
const PAYERS = { approves: 2, declines: 1, stolen: 1 } as const

interface Endpoint {
  readonly receiver: Receiver
  readonly id: string
}

/** A merchant with an account at one acquirer, two webhook receivers, and its own books. */
export class Business {
  readonly index: number
  readonly world: World
  readonly acquirer: SimulatedAcquirer
  readonly merchant: Merchant
  /** What a merchant knows who only follows webhooks. */
  readonly follower: Endpoint
  /** A receiver that is gone one day. */
  readonly second: Endpoint
  readonly items: readonly string[]
  readonly payers: Readonly<Record<CardBehavior, readonly Payer[]>>
  readonly wallet: { readonly id: string; readonly address: string }
  readonly orders = new Map<string, OrderModel>()
  readonly plans: PlanModel[] = []
  readonly cards: CardModel[] = []
  readonly findings: string[] = []

  private constructor(parts: Pick<Business, (typeof PARTS)[number]>) {
    this.index = parts.index
    this.world = parts.world
    this.acquirer = parts.acquirer
    this.merchant = parts.merchant
    this.follower = parts.follower
    this.second = parts.second
    this.items = parts.items
    this.payers = parts.payers
    this.wallet = parts.wallet
  }

  static async open(
    index: number,
    world: World,
    acquirer: SimulatedAcquirer,
    signal: AbortSignal,
  ): Promise<Business> {
    const name = `Business ${index}`
    const { exitCode, stdout, stderr } = await world.runCommand(
      'businesses',
      'create',
      '--name',
      name,
      '--json',
    )
    if (exitCode !== 0) throw new Error(`businesses create ended with ${exitCode}: ${stderr}`)
    const sandbox = JSON.parse(stdout) as SandboxFile
    const merchant = new Merchant(withAddressesOf(world, sandbox), signal)
    const follower = await openEndpoint(merchant)
    const second = await openEndpoint(merchant)
    await acquirer.connect(merchant)
    const items: string[] = []
    for (const minor of PRICES_HKD_MINOR) items.push(await createItem(merchant, minor))
    const payersOf = async (behavior: CardBehavior): Promise<Payer[]> => {
      const payers: Payer[] = []
      while (payers.length < PAYERS[behavior]) payers.push(await createPayer(merchant, acquirer, behavior))
      return payers
    }
    const payers = {
      approves: await payersOf('approves'),
      declines: await payersOf('declines'),
      stolen: await payersOf('stolen'),
    }
    const { digital_wallet: wallet } = await merchant.ok('POST', WALLETS, {
      digital_wallet: { p_user_id: `user-${index}` },
    })
    const address = wallet.addresses[0].address as string
    return new Business({
      index,
      world,
      acquirer,
      merchant,
      follower,
      second,
      items,
      payers,
      wallet: { id: wallet.id as string, address },
    })
  }

  payer(behavior: CardBehavior, choice: number): Payer {
    const payers = this.payers[behavior]
    const payer = payers[choice % payers.length]
    if (payer === undefined) throw new Error(`nobody has a card that ${behavior}`)
    return payer
  }

  newPayer(behavior: CardBehavior): Promise<Payer | undefined> {
    return tryPayer(this.merchant, this.acquirer, behavior)
  }

  /** Accepts a clock that has already passed `target`, which happens after a long interruption. */
  async advanceBy(duration: Temporal.DurationLike): Promise<void> {
    const target = (await this.merchant.now()).add(duration)
    const reply = await this.merchant.call('POST', '/svc/sandbox/api/v1/openapi/clock/advance', {
      to: target.toString(),
    })
    if (reply.status === 200 || reply.data?.error?.reason === 'clock_cannot_go_back') return
    throw new Error(`the clock of business ${this.index} was not moved: ${JSON.stringify(reply)}`)
  }

  async order(number: string): Promise<ReturnType<Merchant['checkOrder']>> {
    const { order } = await this.merchant.ok('POST', `${PAYMENTS}/orders/check`, { order: { number } })
    return order
  }
}

const PARTS = [
  'index',
  'world',
  'acquirer',
  'merchant',
  'follower',
  'second',
  'items',
  'payers',
  'wallet',
] as const

async function openEndpoint(merchant: Merchant): Promise<Endpoint> {
  const receiver = await Receiver.start()
  const { endpoint } = await merchant.ok('POST', `${EVENTS}/endpoints`, { endpoint: { url: receiver.url } })
  receiver.secret = endpoint.secret as string
  return { receiver, id: endpoint.id as string }
}

/** Each request goes to the next api process, as behind a load balancer that does not look. */
function withAddressesOf(world: World, sandbox: SandboxFile): SandboxFile {
  return Object.defineProperty({ ...sandbox }, 'base_url', { get: () => world.nextUrl() })
}
