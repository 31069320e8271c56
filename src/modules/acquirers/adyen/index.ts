import type {
  AccountSettings,
  AcquirerAdapter,
  AdapterDependencies,
  ConnectedAcquirer,
} from '../port/adapter.ts'
import type { Capabilities, Inquiry } from '../port/port.ts'
import { checkCredentials, checkForm } from './account.ts'
import { createAdyenApi } from './api.ts'
import { componentOf } from './component.ts'
import { createDisputes } from './disputes/disputes.ts'
import { laterFailure } from './notices/evidence.ts'
import { createReadNotices } from './notices/read-notices.ts'
import { charge } from './payments/charges.ts'
import {
  type Inquirer,
  inquireCharge,
  inquireModification,
  KEYS_KEPT_HOURS,
  type Question,
} from './payments/inquiries.ts'
import { modify } from './payments/modifications.ts'
import type { Merchant } from './payments/payment-request.ts'
import { inquireVerification, readInstrument, verify } from './verifications/verifications.ts'
import { createSettlementReports } from './settlement/reports.ts'
import { ADYEN_TEST_CARDS } from './verifications/test-cards.ts'

const CAPABILITIES: Capabilities = {
  closes: new Set(['sale', 'authorization', 'verification']),
  commitsReferences: true,
  multipleCaptures: false,
  voidsCaptured: false,
  needsSecurityCode: false,
}

export const adyenAdapter: AcquirerAdapter = {
  name: 'adyen',
  capabilities: CAPABILITIES,
  laterFailure,
  testCards: ADYEN_TEST_CARDS,
  credentialMembers: ['api_key', 'client_key', 'merchant_account', 'hmac_key'],
  defaultApiBase: { test: 'https://checkout-test.adyen.com', live: null },
  checkForm,
  checkCredentials,
  connect,
}

function connect(settings: AccountSettings, deps: AdapterDependencies): ConnectedAcquirer {
  const api = createAdyenApi(settings, deps)
  const merchant: Merchant = {
    merchantAccount: api.merchantAccount,
    statementDescriptor: settings.statementDescriptor,
  }
  const inquirer: Inquirer = { api, findNotices: deps.findNotices }
  const disputes = createDisputes(settings, deps)
  const settlement = createSettlementReports(settings, deps)
  return {
    name: 'adyen',
    merchantId: settings.merchantId,
    capabilities: CAPABILITIES,
    sale: (request) => charge(api, merchant, { kind: 'sale', request }),
    authorize: (request) => charge(api, merchant, { kind: 'authorization', request }),
    capture: (request) => modify(api, 'capture', request),
    refund: (request) => modify(api, 'refund', request),
    void: (request) => modify(api, 'void', request),
    verify: (request) => verify(api, merchant, request),
    inquire: (lookup) => answer(inquirer, { lookup, isClosing: false }),
    closeKey: (lookup) => answer(inquirer, { lookup, isClosing: true }),
    keysKeptHours: KEYS_KEPT_HOURS,
    readNotices: createReadNotices(settings),
    disputes: disputes.disputes,
    settlement: settlement.reports,
    component: componentOf(settings),
    readInstrument: ({ id, payerReference }) => readInstrument(api, id, payerReference),
    disconnect: async () => {
      await Promise.all([api.close(), disputes.close(), settlement.close()])
    },
  }
}

function answer(inquirer: Inquirer, question: Question): Promise<Inquiry> {
  const { lookup } = question
  switch (lookup.kind) {
    case 'sale':
    case 'authorization':
      return inquireCharge(inquirer, question)
    case 'verification':
      return inquireVerification(inquirer, question)
    case 'capture':
    case 'refund':
    case 'void':
      return inquireModification(inquirer, lookup.kind, lookup)
  }
}
