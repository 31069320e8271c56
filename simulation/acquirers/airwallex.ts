import { newAirwallexCard } from '../../twins/common/new-card.ts'
import type { CardBehavior } from './card-behavior.ts'
import { bookLinesOf } from './stripe.ts'
import type { TwinKind } from './twin.ts'

const CLIENT_ID = 'simulation'
const API_KEY = 'simulation_key'
const WEBHOOK_SECRET = 'whsec_simulation'

/** Cards that can be verified, and of which some are declined when they are charged. */
const CARD_NUMBERS: Readonly<Record<CardBehavior, string>> = {
  approves: '4035501000000008',
  declines: '4000000000000341',
  stolen: '4000000000009979',
}

export const AIRWALLEX: TwinKind = {
  acquirer: 'airwallex',
  credentials: { client_id: CLIENT_ID, api_key: API_KEY, webhook_secret: WEBHOOK_SECRET },
  noticeSecret: WEBHOOK_SECRET,
  forgetsKeys: true,
  account: { methods: ['credit_card', 'wallet_a_pay', 'wallet_b', 'fps'] },
  // A token ends within a run, and a payer acts while the service is being killed.
  settings: { payer_seconds: 1, token_seconds: 20 },
  agreement: 'WalletBAutoDebit',
  wallets: { HKD: ['wallet_a_pay', 'wallet_b', 'fps'], USD: ['wallet_a_pay'] },
  newToken: (url, customerUuid, behavior) =>
    newAirwallexCard(url, {
      clientId: CLIENT_ID,
      apiKey: API_KEY,
      customerUuid,
      number: CARD_NUMBERS[behavior],
    }),
  toBookLines: bookLinesOf,
}
