import { cleanUp } from '#platform/testing/clean-up'
import { adyenAdapter } from '../../adyen/index.ts'
import { airwallexAdapter } from '../../airwallex/index.ts'
import type { AcquirerAdapter, ConnectedAcquirer } from '../../port/adapter.ts'
import type { Instrument } from '../../port/port.ts'
import { stripeAdapter } from '../../stripe/index.ts'
import { type FaultProxy, startFaultProxy } from '../fault-proxy.ts'
import type { PortUnderTest } from '../port-harness.ts'
import { adyenBooks } from './adyen-books.ts'
import { airwallexBooks } from './airwallex-books.ts'
import type { TestAccount } from './environment.ts'
import { stripeBooks } from './stripe-books.ts'

const TIMEOUT_MS = 20_000
const PAYER = 'a 3-D Secure challenge of the acquirer needs a browser'
const KEYS = 'the acquirer cannot be made to forget its keys'
const NOTICES = 'notices need a public address'

export async function stripePort(account: TestAccount): Promise<PortUnderTest> {
  const proxy = await startFaultProxy(account.apiBase)
  return {
    ...commonPort(stripeAdapter, account, proxy),
    books: stripeBooks(account, proxy.seen),
    instruments: {
      approves: stripeMethod('visa'),
      declinesSoft: stripeMethod('visa_chargeDeclinedInsufficientFunds'),
      declinesHard: stripeMethod('visa_chargeDeclinedStolenCard'),
      challenges: stripeMethod('threeDSecure2Required'),
      needsPayer: stripeMethod('threeDSecure2Required'),
    },
    lacks: { payer: PAYER, 'forgotten keys': KEYS },
  }
}

export async function adyenPort(account: TestAccount): Promise<PortUnderTest> {
  const proxy = await startFaultProxy(account.apiBase)
  return {
    ...commonPort(adyenAdapter, account, proxy),
    books: async () => adyenBooks(proxy.seen),
    instruments: {
      approves: adyenCard('Chan Tai Man'),
      declinesSoft: adyenCard('NOT_ENOUGH_BALANCE'),
      declinesHard: adyenCard('BLOCK_CARD'),
      challenges: adyenCard('Chan Tai Man', '4212345678901237'),
      needsPayer: adyenCard('AUTHENTICATION_REQUIRED'),
    },
    holdsBeforeCommit: true,
    lacks: { payer: PAYER, 'forgotten keys': KEYS, notices: NOTICES },
  }
}

/** Amounts of 80.NN are declined with the code NN; the suite's amount is none of them, so cards decline. */
export async function airwallexPort(account: TestAccount): Promise<PortUnderTest> {
  const proxy = await startFaultProxy(account.apiBase)
  return {
    ...commonPort(airwallexAdapter, account, proxy),
    books: async () => airwallexBooks(proxy.seen),
    instruments: {
      approves: airwallexCard('4035501000000008'),
      declinesSoft: airwallexCard('4012000300000013'),
      declinesHard: airwallexCard('4646464646464644'),
      challenges: airwallexCard('4012000300000088'),
      needsPayer: airwallexCard('4012000300000013'),
    },
    lacks: { payer: PAYER, 'forgotten keys': KEYS },
  }
}

function airwallexCard(number: string): Instrument {
  return { type: 'card', number, expMonth: 12, expYear: 2030, holderName: 'Chan Tai Man', cvc: '123' }
}

function commonPort(adapter: AcquirerAdapter, account: TestAccount, proxy: FaultProxy) {
  const viaProxy = { ...account, apiBase: proxy.url }
  const deps = { connect: {}, timeoutMs: TIMEOUT_MS }
  let acquirer: ConnectedAcquirer | undefined
  cleanUp(() => acquirer?.disconnect())
  return {
    connect: async () => {
      const check = await adapter.checkCredentials(viaProxy, deps)
      if (check.kind !== 'accepted') throw new Error(`${adapter.name}: ${check.kind}: ${check.message}`)
      const settings = { ...viaProxy, merchantId: check.merchantId }
      acquirer = adapter.connect(settings, { ...deps, findNotices: async () => [] })
      return acquirer
    },
    setFaults: async (faults: Readonly<Record<string, number>>) => proxy.setFaults(faults),
    answerChallenge: async () => {
      throw new Error(PAYER)
    },
  }
}

function stripeMethod(name: string): Instrument {
  return { type: 'acquirer_token', id: `pm_card_${name}`, payerReference: null }
}

function adyenCard(holderName: string, number = '4111111111111111'): Instrument {
  const paymentMethod = {
    type: 'scheme',
    holderName,
    encryptedCardNumber: `test_${number}`,
    encryptedExpiryMonth: 'test_03',
    encryptedExpiryYear: 'test_2030',
    encryptedSecurityCode: 'test_737',
  }
  return { type: 'component', data: JSON.stringify({ paymentMethod }) }
}
