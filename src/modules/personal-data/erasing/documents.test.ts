import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { EventLog } from '#platform/events/events'
import { EVENTS_PERSONAL_DATA } from '#platform/events/personal-data'
import { verifyEvents } from '#platform/verify'
import { isPersonal } from '#platform/personal-data/rewrite'
import { MESSAGE_SCHEMAS } from '#modules/webhooks'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'

const database = await createTestDatabase()
const { db } = database

/** Members of events whose texts are no personal data, or lose the texts of the customer only (labels, names of objects). */
const NOT_PERSONAL = new Set(
  `acquirer_account_id acquirer_name acquirer_reference bank_reference bank_statement_id booking_date returned_on allowed_categories amount amount_due amount_in_usd at_time auth_code
   bank.account_holder bank.account_number bank.bank_code bank.bank_name bank.branch_code bank.fps_id scheme
   replaces replaced_by method transaction_uuid cancellation.reason exchange_rate_base exchange_rate_date tax_currency
   message_id resent_from sent_at qr_code payments.acquirer_type
   allowed_countries blocked_categories blocked_countries
   billing_currency block_hash blockchain brand brn calculated_fee cancel_at captured_amount card_id code contract_address
   attached_at country counted_on created_at credit_card_type currency customer_uuid customer_uuids decline_codes default_payment_token deleted_at destination_address due_date
   dunning_policy_id effective_at end end_date erased_at error_code error_msg estimated_end_date estimated_start_date expiration_date
   expires_at funding_wallet_id held_amount id issuer_brand label last_4_digits limit_amount mcc merchant_id minimum
   new_gateway_txn_id next_cycle next_execute_time notice number object_id order_number
   original_transaction_reference_id original_transaction_uuid p_created_at p_user_id paid_total pause_until plan_id previous_cycle product_id product_ids
   promotion_code_id redeem_until
   dispute.reason receipt_id recurring_billing_config recurring_item_id recurring_plan_id reference_id reference_number refunded_amount refunded_total renewal resp_code resp_msg
   respond_by rrn settlement_currency source_address start start_date submitted_at superseded_by tax_category time_zone timer timestamp token
   bic category footer iban invoice_id invoice_number issue_date language legal_entity_id line_id payment_reference region series valid_from valid_until value_date
   transaction_hash type unit_label unpaid_total until updated_at used_amount uuid verify_uuid wallet_id`.split(
    /\s+/,
  ),
)

interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

interface Place {
  member: string
  holder: string
}

function textsOf(schema: Schema, place: Place = { member: '', holder: '' }): Place[] {
  const inner = [...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items])]
  const own =
    schema.type === 'string' && schema.enum === undefined && schema.const === undefined ? [place] : []
  return [
    ...own,
    ...inner.flatMap((one) => textsOf(one, place)),
    ...Object.entries(schema.properties ?? {}).flatMap(([member, one]) =>
      textsOf(one, { member, holder: place.member }),
    ),
  ]
}

test('every text in an event is known to be personal or not', () => {
  const texts = Object.values(MESSAGE_SCHEMAS).flatMap((schema) => textsOf(schema as Schema))
  expect(new Set(texts.map(({ member }) => member)).size).toBeGreaterThan(80)
  const isKept = ({ member, holder }: Place) =>
    NOT_PERSONAL.has(member) || NOT_PERSONAL.has(`${holder}.${member}`)
  const isErased = ({ member, holder }: Place) => isPersonal(member, holder)
  const unknown = texts.filter((place) => isErased(place) === isKept(place))
  expect(unknown).toEqual([])
})

test('events in two bundles and one outside lose their person, and their neighbours keep theirs', async () => {
  const { businessId } = await createTestBusiness(database)
  const write = (log: EventLog, plans: readonly number[]) =>
    db.transact(businessId, (tx) =>
      log.append(
        tx,
        plans.map((index) => ({
          type: 'plan.created',
          objectId: `rpl_${index}`,
          timestamp: tx.now,
          data: { plan: { id: `rpl_${index}`, amount: 1.5, customer: { email: `${index}@shop.example` } } },
        })),
      ),
    )
  await write(new EventLog(), [...Array(20).keys()])
  await write(new EventLog(), [7, 8])
  await write(new EventLog({ days: 62 }), [7, 8])
  const subject = {
    uuid: 'cus_1',
    names: ['cus_1'],
    erasedName: 'erased-cus_1',
    texts: [],
    objects: sql`select 'rpl_7' as id`,
  }
  const [source] = EVENTS_PERSONAL_DATA.sources
  const shown = () =>
    db.transact(
      businessId,
      (tx) => source?.read(tx, { ...subject, objects: sql`select object_id from events` }, '') ?? fail(),
    )
  const before = (await shown()).rows
  expect(await db.transact(businessId, (tx) => source?.erase?.(tx, subject, '') ?? fail())).toEqual({
    count: 3,
    next: null,
  })
  const after = (await shown()).rows
  expect(after).toEqual(before.map((row) => row.replace('"7@shop.example"', '"[erased]"')))
  expect(after.filter((row) => row.includes('[erased]'))).toHaveLength(3)
  expect(await Array.fromAsync(verifyEvents(db)(businessId))).toEqual([])
})

function fail(): never {
  throw new Error('events have no source')
}
