import type { Customer } from 'quittance'
import { PAYMENTS } from '#app/api.ts'
import { brandName } from '#components/brand-name.ts'
import type { ListDefinition } from '#components/list/list-types.ts'
import { Time } from '#components/time.tsx'

export const customerList: ListDefinition<Customer> = {
  name: 'customers',
  path: `${PAYMENTS}/customers`,
  load: ({ quittance }, query, signal) => quittance.customers.list(query, { signal }),
  rowId: ({ uuid }) => uuid,
  rowLink: ({ uuid }) => `/customers/${uuid}`,
  columns: [
    { id: 'name', phone: 'title', cell: ({ name }) => name ?? '—' },
    { id: 'email', phone: 'detail', cell: ({ email }) => email ?? '—' },
    { id: 'phone', cell: ({ dial_code, phone }) => `${dial_code} ${phone ?? ''}`.trim() || '—' },
    { id: 'reference_number', phone: 'end', cell: ({ reference_number }) => reference_number },
    { id: 'company_name', isHidden: true, cell: ({ company_name }) => company_name ?? '—' },
    { id: 'default_card', cell: (customer) => cardText(customer.default_payment_token) },
    { id: 'uuid', isHidden: true, cell: ({ uuid }) => uuid },
    { id: 'created_at', phone: 'end_detail', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  filters: [
    { field: 'name', kind: 'text' },
    { field: 'email', kind: 'text' },
    { field: 'phone', kind: 'text' },
    { field: 'reference_number', kind: 'text' },
    { field: 'created_at', kind: 'time' },
  ],
}

const WALLETS = { wechat_pay: 'WeChat Pay', alipay: 'Alipay', alipay_hk: 'AlipayHK' } as const

/** "visa •••• 4242", the wallet with its account, or the kind of the token. */
export function cardText(token: Customer['default_payment_token']): string {
  if (token === undefined) return '—'
  const { credit_card: card, token_type: type, wallet } = token
  if (wallet !== undefined) return [WALLETS[wallet.name], wallet.account ?? ''].join(' ').trim()
  return card === undefined ? type : `${brandName(card.brand)} •••• ${card.number.slice(-4)}`
}
