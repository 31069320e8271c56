import type { Tx } from '#platform/postgres/database'
import { type Match, matchOf, type Search, type SearchHit, withoutRepeats } from '#platform/search'
import {
  findCustomersByIdentifier,
  findCustomersByTerms,
  findSimilarWords,
  findTokensByText,
  type FoundCustomer,
  type FoundToken,
} from '../storage/customer-search.repository.ts'
import { correctionsOf, fold, wordsToCorrect } from './typing-errors.ts'

/** With fewer customers found, words with a typing error are looked for, too. */
const ENOUGH = 5

/**
 * Customers by uuid, reference number and the beginning of any word of their name, e-mail address, phone number or company;
 * payment tokens by their id and the card's last digits.
 */
export async function searchCustomers(tx: Tx, search: Search): Promise<SearchHit[]> {
  const [byIdentifier, byTerms, tokens] = await Promise.all([
    findCustomersByIdentifier(tx, search),
    findCustomersByTerms(tx, [search.text], search.limit),
    findTokensByText(tx, search),
  ])
  const found = withoutRepeats([...byIdentifier, ...byTerms], ({ uuid }) => uuid)
  const similar = found.length < ENOUGH ? await findSimilar(tx, search) : []
  const known = new Set(found.map(({ uuid }) => uuid))
  return [
    ...found.map((customer) => hitOfCustomer(customer, matchOfCustomer(search, customer))),
    ...similar.filter(({ uuid }) => !known.has(uuid)).map((customer) => hitOfCustomer(customer, 'similar')),
    ...tokens.map((token) => hitOfToken(search, token)),
  ]
}

async function findSimilar(tx: Tx, { text, limit }: Search): Promise<FoundCustomer[]> {
  const folded = fold(text)
  const words = wordsToCorrect(folded)
  if (words.length === 0) return []
  const corrections = correctionsOf(folded, await findSimilarWords(tx, words))
  return corrections.length === 0 ? [] : findCustomersByTerms(tx, corrections, limit)
}

function matchOfCustomer(search: Search, customer: FoundCustomer): Match {
  const { uuid, reference_number: reference, name, email, phone } = customer
  return matchOf(search, [uuid, reference, name, email, phone])
}

function hitOfCustomer(customer: FoundCustomer, match: Match): SearchHit {
  return {
    type: 'customer',
    id: customer.uuid,
    parentId: null,
    title: customer.name,
    subtitle: [customer.email, customer.phone].filter(Boolean).join(' · '),
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
    amount: null,
    state: token.state,
    createdAt: token.created_at,
    match: matchOf(search, [token.token, token.last_4]),
  }
}
