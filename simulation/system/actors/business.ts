import type { SandboxFile } from '../../../src/sandbox-file.ts'
import { Money } from '#kernel/money'
import { PAYMENTS } from '../../../scenarios/harness/client.ts'
import type { SimulatedAcquirer } from '../../acquirers/index.ts'
import type { CardModel } from '../model/card-model.ts'
import type { DeskModel } from '../model/desk-model.ts'
import type { InvoiceModel } from '../model/invoice-model.ts'
import type { OrderModel } from '../model/order-model.ts'
import type { PlanModel } from '../model/plan-model.ts'
import type { PartedAct } from '../plan/draw-faults.ts'
import { type PlanLife, PRICES_HKD_MINOR } from '../plan/draw-plans.ts'
import type { CardBehavior } from '../../acquirers/card-behavior.ts'
import type { ChainNode } from '../world/chain-node.ts'
import { Receiver } from '../world/receiver.ts'
import { Merchant } from './merchant.ts'
import { createOffers, type Offers } from './offers.ts'
import { createPayer, type Payer, tryPayer } from './payers.ts'

export const EVENTS = '/svc/event/api/v1/openapi'
export const WALLETS = '/svc/ts/api/v1/openapi/digital_wallets'
const PAYERS = { approves: 2, declines: 1, stolen: 1 } as const

interface Wallet {
  readonly id: string
  readonly address: string
  readonly chain: ChainNode
}

interface Endpoint {
  readonly receiver: Receiver
  readonly id: string
}

export interface BusinessOptions {
  readonly index: number
  /** Its `base_url` may change with each request, as behind a load balancer. */
  readonly sandbox: SandboxFile
  readonly acquirer: SimulatedAcquirer
  readonly signal: AbortSignal
  /** With a node the business has a wallet. */
  readonly chain?: ChainNode
}

/** A merchant with an account at one acquirer, two webhook receivers, and its own books. */
export class Business {
  readonly index: number
  readonly acquirer: SimulatedAcquirer
  readonly merchant: Merchant
  readonly openedAt: Temporal.Instant
  /** The books of a merchant who reads nothing but webhooks. */
  readonly follower: Endpoint
  /** Its receiver may respond with 410 for good. */
  readonly second: Endpoint
  readonly items: readonly string[]
  readonly offers: Offers
  readonly payers: Readonly<Record<CardBehavior, readonly Payer[]>>
  readonly wallet: Wallet | undefined
  readonly orders = new Map<string, OrderModel>()
  readonly plans: PlanModel[] = []
  readonly cards: CardModel[] = []
  readonly invoices: InvoiceModel[] = []
  readonly desk: DeskModel[] = []
  readonly findings: string[] = []
  /** The targets of the moves of the clock that are under way. */
  readonly #targets = new Set<Temporal.Instant>()
  readonly #parted = new Map<PartedAct, number>()
  #payers = 0

  private constructor(parts: Pick<Business, (typeof PARTS)[number]>) {
    this.index = parts.index
    this.acquirer = parts.acquirer
    this.merchant = parts.merchant
    this.openedAt = parts.openedAt
    this.follower = parts.follower
    this.second = parts.second
    this.items = parts.items
    this.offers = parts.offers
    this.payers = parts.payers
    this.wallet = parts.wallet
  }

  static async open({ index, sandbox, acquirer, signal, chain }: BusinessOptions): Promise<Business> {
    const merchant = new Merchant(sandbox, signal)
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
    return new Business({
      index,
      acquirer,
      merchant,
      openedAt: (await merchant.now()).round('second'),
      follower,
      second,
      items,
      offers: await createOffers(merchant),
      payers: {
        approves: await payersOf('approves'),
        declines: await payersOf('declines'),
        stolen: await payersOf('stolen'),
      },
      wallet: chain && (await openWallet(merchant, index, chain)),
    })
  }

  payer(behavior: CardBehavior, choice: number): Payer {
    const payers = this.payers[behavior]
    const payer = payers[choice % payers.length]
    if (payer === undefined) throw new Error(`nobody has a card that ${behavior}`)
    return payer
  }

  /** Every other payer whose charges are approved agrees with a wallet, where the acquirer has one. */
  newPayer(behavior: CardBehavior): Promise<Payer | undefined> {
    const agrees = behavior === 'approves' && ++this.#payers % 2 === 0
    const instrument = agrees ? this.acquirer.newAgreement?.() : undefined
    return tryPayer(this.merchant, this.acquirer, behavior, instrument)
  }

  /** Does what a kill may be aimed at. */
  async during<Result>(act: PartedAct, work: () => Promise<Result>): Promise<Result> {
    this.#parted.set(act, this.underWayOf(act) + 1)
    try {
      return await work()
    } finally {
      this.#parted.set(act, this.underWayOf(act) - 1)
    }
  }

  /** How many of these acts are under way. */
  underWayOf(act: PartedAct): number {
    return this.#parted.get(act) ?? 0
  }

  get isMovingClock(): boolean {
    return this.#targets.size > 0
  }

  /** What is due by the target of a move may be done before the clock shows it. */
  async possibleTimes(): Promise<Temporal.Instant[]> {
    return [...this.#targets, await this.merchant.now()]
  }

  async advanceBy(duration: Temporal.DurationLike): Promise<void> {
    await this.advanceTo((await this.merchant.now()).add(duration))
  }

  /** Accepts a clock that has already passed `target`, which happens after a long interruption. */
  async advanceTo(target: Temporal.Instant): Promise<void> {
    this.#targets.add(target)
    try {
      const path = '/svc/sandbox/api/v1/openapi/clock/advance'
      const reply = await this.merchant.call('POST', path, { to: target.toString() }, { isLong: true })
      if (reply.status === 200 || reply.data?.error?.reason === 'clock_cannot_go_back') return
      throw new Error(`the clock of business ${this.index} was not moved: ${JSON.stringify(reply)}`)
    } finally {
      this.#targets.delete(target)
    }
  }

  async order(number: string): Promise<ReturnType<Merchant['checkOrder']>> {
    const { order } = await this.merchant.ok('POST', `${PAYMENTS}/orders/check`, { order: { number } })
    return order
  }
}

/** The ids of the prices, in the order of `PRICES_HKD_MINOR`. */
export function pricesOf({ items, offers }: Business, { invoicing }: PlanLife): readonly string[] {
  return invoicing?.isTaxed === true && !invoicing.addsTax ? offers.inclusivePriceIds : items
}

const PARTS = [
  'index',
  'acquirer',
  'merchant',
  'openedAt',
  'follower',
  'second',
  'items',
  'offers',
  'payers',
  'wallet',
] as const

async function openEndpoint(merchant: Merchant): Promise<Endpoint> {
  const receiver = await Receiver.start()
  const { endpoint } = await merchant.ok('POST', `${EVENTS}/endpoints`, { endpoint: { url: receiver.url } })
  receiver.secret = endpoint.secret as string
  return { receiver, id: endpoint.id as string }
}

async function createItem(merchant: Merchant, priceMinor: bigint): Promise<string> {
  const { recurring_item: item } = await merchant.ok('POST', `${PAYMENTS}/recurring_payments/items`, {
    recurring_item: { label: 'Membership', price: Money.ofMinor('HKD', priceMinor), currency: 'HKD' },
  })
  return item.id as string
}

async function openWallet(merchant: Merchant, index: number, chain: ChainNode): Promise<Wallet> {
  const { digital_wallet: wallet } = await merchant.ok('POST', WALLETS, {
    digital_wallet: { p_user_id: `user-${index}` },
  })
  return { id: wallet.id as string, address: wallet.addresses[0].address as string, chain }
}
