import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { EventLog } from '#platform/events/events'
import { Links } from '#platform/security/links'
import { advance } from '#platform/testing/clock'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { createTestKeyring } from '#platform/testing/keyring'
import { createTestAcquirer, simulatedAcquirers } from '../../acquirers/testing/acquirer.ts'
import type { BindRequest } from '../bindings/bind-request.ts'
import { Customers } from '../customers.ts'
import type { CustomersDependencies } from '../dependencies.ts'

export async function createFixture() {
  const database = await createTestDatabase()
  const { acquirer, simulator, setFaults } = await createTestAcquirer({ timeoutMs: 3_000 })
  const { keyring, rotateKeys } = createTestKeyring()
  const links = new Links(keyring, () => 'http://127.0.0.1:8080')
  const deps: CustomersDependencies = {
    db: database.db,
    events: new EventLog(),
    acquirers: simulatedAcquirers(() => acquirer),
    businesses: { profile: async () => ({ timeZone: 'Asia/Hong_Kong', environment: 'test' }) },
    keyring,
    links,
  }
  const customers = new Customers(deps)
  const [bindingInquiries] = customers.jobs
  if (bindingInquiries === undefined) throw new Error('the module has no job')

  return {
    ...database,
    customers,
    bindingInquiries,
    keyring,
    rotateKeys,
    deps,
    simulator,
    business: () => createTestBusiness(database),
    setFaults,
    advance: (businessId: string, by: Temporal.DurationLike) =>
      advance(database.db, customers.jobs, businessId, by),
  }
}

export type Fixture = Awaited<ReturnType<typeof createFixture>>

export interface TokenJson {
  token: string
  token_type: string
  state: string
  default: boolean
  verify_url: string | null
  verify_uuid: string
  error_code?: string
  error_msg?: string
  credit_card?: Record<string, string>
}
export interface CustomerJson {
  uuid: string
  reference_number: string
  default_payment_token?: TokenJson
  [member: string]: unknown
}

export async function newCustomer(
  fixture: Pick<Fixture, 'customers'>,
  caller: Caller,
): Promise<CustomerJson> {
  const response = await fixture.customers.create(caller, {
    reference_number: newId('ref'),
    name: 'Ada',
    phone: '5550100',
  })
  return response.customer as CustomerJson
}

export function cardRequest(number: string, more: Partial<BindRequest> = {}): BindRequest {
  return {
    token_type: 'CreditCard',
    credit_card: {
      number,
      exp_month: '7',
      exp_year: '2040',
      cvc: number.length === 15 ? '1234' : '123',
      holder_name: 'Ada Lovelace',
      billing_currency: 'HKD',
    },
    ...more,
  }
}

export async function bindCard(
  fixture: Pick<Fixture, 'customers'>,
  caller: Caller,
  customerUuid: string,
  number = '4242424242424242',
  more: Partial<BindRequest> = {},
): Promise<TokenJson> {
  const response = await fixture.customers.bind(caller, customerUuid, cardRequest(number, more))
  return response.payment_token as TokenJson
}

export async function tokensOf(fixture: Fixture, caller: Caller, customerUuid: string): Promise<TokenJson[]> {
  const response = await fixture.customers.tokens(caller, customerUuid, undefined)
  return response.payment_tokens as TokenJson[]
}
