import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { once } from '#platform/idempotency/idempotency'
import { editMetadata } from '#platform/http/validation/metadata'
import { replaceTerms } from '#platform/search/term-index'
import { CUSTOMER_TERMS } from '../storage/customer-search.repository.ts'
import { lockCustomer, updateCustomer } from '../storage/customer.repository.ts'
import type { Customer } from '../model/customer.ts'
import type { CustomerEdit } from '../model/customer-requests.ts'
import { errors } from '../errors.ts'
import { requireCustomer } from './require-customer.ts'
import type { CustomersContext, CustomerView } from '../context.ts'
import { handleDefaultToken } from './default-token.ts'
import { isChargeable } from '../model/payment-token.ts'
import { findDefaultTokens, findTokens } from '../storage/payment-token.repository.ts'

export async function editCustomer(
  ctx: CustomersContext,
  caller: Caller,
  uuid: string,
  edit: CustomerEdit,
): Promise<CustomerView> {
  return once(ctx.db, caller, async (tx) => {
    const before = requireCustomer(await lockCustomer(tx, uuid))
    const defaultToken = edit.default_payment_token ?? null
    if (defaultToken !== null) await checkDefaultToken(tx, uuid, defaultToken)
    const metadata = editMetadata(before.metadata, edit.metadata, 'metadata')
    const update = () => updateCustomer(tx, uuid, { profile: edit, defaultToken, metadata, at: tx.now })
    const customer = await (changesTerms(before, edit)
      ? replaceTerms(tx, CUSTOMER_TERMS, [uuid], update)
      : update())
    if (customer === null) throw errors.customer_not_found()
    await handleDefaultToken(ctx, tx, before, customer.defaultToken)
    const tokens = await findDefaultTokens(tx, [uuid])
    return { customer, defaultToken: tokens.get(uuid), at: tx.now }
  })
}

function changesTerms(before: Customer, edit: CustomerEdit): boolean {
  const { name, phone, email, dialCode, companyName } = before
  const pairs = [
    [edit.name, name],
    [edit.phone, phone],
    [edit.email, email],
    [edit.dial_code, dialCode],
    [edit.company_name, companyName],
  ] as const
  return pairs.some(([given, stored]) => given !== undefined && given !== (stored ?? ''))
}

async function checkDefaultToken(tx: Tx, customerUuid: string, token: string): Promise<void> {
  const param = 'default_payment_token'
  const found = (await findTokens(tx, [token])).get(token)
  if (found === undefined) throw errors.payment_token_not_found({ param })
  if (found.customerUuid !== customerUuid || !isChargeable(found, tx.now)) {
    throw errors.default_token_not_active({ param })
  }
}
