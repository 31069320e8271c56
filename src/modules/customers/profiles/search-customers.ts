import sql from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { findObjects } from '#platform/search/find-objects'
import { type Match, matchOf, type Search, type SearchHit } from '#platform/search/search'
import { CUSTOMER_TERMS, findTokensByText, type FoundToken } from '../storage/customer-search.repository.ts'

interface FoundCustomer {
  uuid: string
  reference_number: string
  name: string
  email: string | null
  phone: string
  created_at: Instant
}

export async function searchCustomers(tx: Tx, search: Search): Promise<SearchHit[]> {
  const [customers, tokens] = await Promise.all([
    findObjects<FoundCustomer>(tx, search, CUSTOMER_TERMS, {
      columns: sql`uuid, reference_number, name, email, phone, created_at`,
      prefixes: [sql`uuid`, sql`reference_number`],
      newest: sql`created_at desc`,
      idOf: ({ uuid }) => uuid,
      identifiersOf: ({ uuid, reference_number: reference, name, email, phone }) => [
        uuid,
        reference,
        name,
        email,
        phone,
      ],
    }),
    findTokensByText(tx, search),
  ])
  return [
    ...customers.map(({ row, match }) => hitOfCustomer(row, match)),
    ...tokens.map((token) => hitOfToken(search, token)),
  ]
}

function hitOfCustomer(customer: FoundCustomer, match: Match): SearchHit {
  return {
    type: 'customer',
    id: customer.uuid,
    parentId: null,
    title: customer.name,
    reference: customer.reference_number,
    subtitle: [customer.reference_number, customer.email, customer.phone].filter(Boolean).join(' · '),
    amount: null,
    state: null,
    createdAt: customer.created_at,
    match,
  }
}

function hitOfToken(search: Search, token: FoundToken): SearchHit {
  return {
    type: 'payment_token',
    id: token.token,
    parentId: token.customer_uuid,
    title:
      token.last_4 === null ? token.token_type : `${token.brand ?? token.token_type} •••• ${token.last_4}`,
    subtitle: token.customer_uuid,
    customerUuid: token.customer_uuid,
    amount: null,
    state: token.state,
    createdAt: token.created_at,
    match: matchOf(search, [token.token, token.last_4]),
  }
}
