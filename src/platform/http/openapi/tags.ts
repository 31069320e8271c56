import type { JsonValue } from '#platform/http/openapi/schemas'

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  Account: 'The public keys of an app: for signing its requests and for encrypting card numbers sent to it.',
  Acquirers: 'Accounts at the companies that move the money, and the rules that choose among them.',
  Customers: 'Payers, and the cards and wallets that are bound to them as payment tokens.',
  'Personal data': 'Export and erasure of what is kept of a customer, legal holds, and retention.',
  Orders: 'What a payer owes. Orders are created, paid, checked, listed and voided.',
  Transactions: 'Payments, captures, refunds and voids of an order.',
  Disputes: 'Payments that payers claim back through their banks, and the evidence against it.',
  Reconciliation: 'What the books of an acquirer say, beside the transactions of this service.',
  Catalogue: 'Products, and their prices in five models and versions, which plans sell.',
  'Dunning policies': 'When unpaid orders of plans are attempted again, and what follows the last attempt.',
  'Legal entities and settings':
    'Who sells, how new plans are invoiced, and what documents say of customers.',
  Invoices: 'Invoices and credit notes, their numbers, and their files.',
  'Bank transfers': 'Statements of banks, and the invoices that their transfers pay.',
  'Payments by hand':
    'Payments and repayments that no acquirer or statement reports, overpayments and write-offs.',
  Messages: 'What is mailed to payers: which kinds, with which texts, and what became of each.',
  'Tax rates': 'What tax lies on which lines, where and when.',
  'Exchange rates': 'By which the tax of documents is in the currency of their seller, too.',
  'Tax engine': 'Another service that is asked for taxes instead of the rates.',
  Coupons: 'What lowers the orders of plans for a time, and the codes that customers type to get it.',
  'Recurring payments':
    'Plans that bill a customer by a schedule, and the catalogue of items that plans sell.',
  Cards: 'Issued cards, their status and their spending limits.',
  'Card authorizations': 'Purchases with issued cards, and the hook that approves or declines them.',
  Wallets: 'Crypto wallets of users: deposit addresses, deposits and fees.',
  Events: 'Changes of objects, the endpoints that receive them, and their deliveries.',
  'Portal settings': 'What customers may do for themselves in the customer portal, and sessions for them.',
  'Customer portal': 'What a customer does with the token of a session, from any page or program.',
  Reports: 'The totals of each day, and what needs a person.',
  'Bulk actions': 'One action on many objects, in the background, with a dry run before it.',
  Logs: 'Every API request of the last days, and who changed what.',
  Search: 'One search over everything.',
  Sandbox: 'The clock of the test environment, which can be moved forward.',
}

export function tagsOf(names: Iterable<string>): JsonValue[] {
  return [...new Set(names)].map((name) => {
    const description = DESCRIPTIONS[name]
    return { name, ...(description !== undefined && { description }) }
  })
}
