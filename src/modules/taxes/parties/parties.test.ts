import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { readPage } from '#platform/http/validation/list'
import { refusalOf } from '#platform/testing/requests'
import { CUSTOMERS_PERSONAL_DATA } from '#modules/customers'
import { TAXES_PERSONAL_DATA } from '../storage/personal-data.ts'
import { createFixture, GERMAN_ENTITY } from '../testing/fixture.ts'
import type { TaxId } from '../model/party.ts'
import { lockedUntil } from './closed-months.ts'
import type { BankMembers } from '../model/party-requests.ts'
import { readTaxId } from './tax-id.ts'

const fixture = await createFixture()
const { taxes } = fixture

const readVatId = (value: string) => readTaxId({ type: 'vat', value }, 'value').value
const refusalOfTaxId = (taxId: TaxId) => refusalOf(Promise.resolve().then(() => readTaxId(taxId, 'value')))

// Proves reference/billing-tax#vat-ids.
test('a VAT id is accepted in any spelling, and only with the right check digits', async () => {
  const valid = [
    'DE136695976',
    'ATU13585627',
    'FR40303265045',
    'NL004495445B01',
    'EL094259216',
    'XI110305878',
  ]
  expect(valid.map(readVatId)).toEqual(valid)
  expect(readVatId('de 136.695-976')).toBe('DE136695976')
  expect(readVatId('GR094259216')).toBe('EL094259216')
  for (const value of ['DE136695978', 'ATU13585626', 'FR41303265045', 'CHE107787577', '136695976', 'X']) {
    expect(await refusalOfTaxId({ type: 'vat', value })).toBe('422 tax_id_invalid value')
  }
})

// Proves reference/billing-tax#other-tax-ids.
test.each([
  ['hk_br', '12345678', '1234567'],
  ['sg_uen', '197401143C', '197401143D'],
  ['sg_gst', 'M90312345A', '197401143D'],
  ['au_abn', '51824753556', '51824753557'],
  ['nz_gst', '49091850', '49091851'],
  ['ch_vat', 'CHE116281710MWST', 'CHE116281711MWST'],
  ['no_vat', '995525828MVA', '995525829MVA'],
  ['ca_bn', '123026635RT0001', '123026636RT0001'],
  ['us_ein', '911144442', '91114444'],
  ['in_gst', '27AAPFU0939F1ZV', '27AAPFU0939F1ZW'],
  ['jp_rn', 'T7000012050002', 'T8000012050002'],
  ['kr_brn', '1348672683', '1348672684'],
  ['th_vat', '0994000617721', '0994000617722'],
  ['ae_trn', '100123456700003', '10012345670000'],
  ['za_vat', '4930111111', '5930111111'],
] as const)('a tax id %s is accepted as %s and refused as %s', async (type, value, wrong) => {
  expect(readTaxId({ type, value }, 'value')).toEqual({ type, value })
  const spaced = value.toLowerCase().replace(/^(..)/, '$1-').replace(/(.)$/, ' $1')
  expect(readTaxId({ type, value: spaced }, 'value')).toEqual({ type, value })
  expect(await refusalOfTaxId({ type, value: wrong })).toBe('422 tax_id_invalid value')
})

// Proves reference/billing-tax#legal-entities.
test('a legal entity is stored, edited and listed, and an edit leaves what it does not name', async () => {
  const { caller } = await fixture.business()
  const { legal_entity: made } = await taxes.createEntity(caller, {
    ...GERMAN_ENTITY,
    tax_ids: [{ type: 'vat', value: 'DE 136 695 976' }],
    bank: { iban: 'de89 3704 0044 0532 0130 00', bic: 'cobadeff' },
    series: [{ key: 'eu' }, { key: 'us', invoice_format: 'US{SEQ:4}', first_number: 100 }],
    reference_id: 'home',
    metadata: { team: 'finance' },
  })
  expect(made).toMatchObject({
    address: { line1: 'Hauptstr. 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
    tax_ids: [{ type: 'vat', value: 'DE136695976' }],
    registrations: [{ country: 'DE' }],
    oss: false,
    bank: { iban: 'DE89370400440532013000', bic: 'COBADEFF' },
    tax_rounding: 'document',
    series: [
      {
        key: 'eu',
        invoice_format: 'INV-{YYYY}-{SEQ:6}',
        credit_note_format: 'CN-{YYYY}-{SEQ:6}',
        first_number: 1,
      },
      { key: 'us', invoice_format: 'US{SEQ:4}', credit_note_format: 'CN-{YYYY}-{SEQ:6}', first_number: 100 },
    ],
    footer: null,
  })
  const edited = await taxes.editEntity(caller, made.id, { tax_rounding: 'line', bank: null })
  expect(edited.legal_entity).toEqual({
    ...made,
    tax_rounding: 'line',
    bank: null,
    updated_at: edited.legal_entity.updated_at,
  })
  expect(await taxes.entity(caller, made.id)).toEqual(edited)
  const page = readPage('legal_entities', {})
  const found = async (filter?: string) =>
    (await taxes.entitiesPage(caller, filter, page)).legal_entities.map(({ id }) => id)
  const other = await taxes.createEntity(caller, GERMAN_ENTITY)
  expect(await found()).toEqual([other.legal_entity.id, made.id])
  expect(await found('reference_id = "home"')).toEqual([made.id])
  expect(await refusalOf(taxes.createEntity(caller, { ...GERMAN_ENTITY, reference_id: 'home' }))).toBe(
    '409 reference_id_taken legal_entity.reference_id',
  )
  const elsewhere = await fixture.business()
  expect(await refusalOf(taxes.entity(elsewhere.caller, made.id))).toBe('404 legal_entity_not_found')
  expect(await refusalOf(taxes.editEntity(elsewhere.caller, made.id, {}))).toBe('404 legal_entity_not_found')
})

// Proves reference/billing-tax#legal-entities.
test('members of a legal entity that do not fit are refused by name', async () => {
  const { caller } = await fixture.business()
  const refusal = (members: object) => refusalOf(taxes.createEntity(caller, { ...GERMAN_ENTITY, ...members }))
  expect(await refusal({ tax_ids: [{ type: 'vat', value: 'ATU13585627' }] })).toBe(
    '422 tax_id_country_mismatch legal_entity.tax_ids[0].value',
  )
  expect(await refusal({ bank: { iban: 'DE89370400440532013001' } })).toBe(
    '422 bank_invalid legal_entity.bank.iban',
  )
  expect(await refusal({ bank: { iban: 'DE89370400440532013000', bic: '1' } })).toBe(
    '422 bank_invalid legal_entity.bank.bic',
  )
  expect(await refusal({ series: [{ key: 'a' }, { key: 'a' }] })).toBe(
    '422 legal_entity_invalid legal_entity.series[1].key',
  )
  expect(await refusal({ series: [{ key: 'a', credit_note_format: 'CN' }] })).toBe(
    '422 number_format_invalid legal_entity.series[0].credit_note_format',
  )
  expect(await refusal({ series: [{ key: 'a', invoice_format: 'INV\n{SEQ:3}' }] })).toBe(
    '422 number_format_invalid legal_entity.series[0].invoice_format',
  )
  expect(await refusal({ series: [{ key: 'a', credit_note_format: '\u202e{SEQ:3}' }] })).toBe(
    '422 number_format_invalid legal_entity.series[0].credit_note_format',
  )
  const same = [
    { key: 'a', invoice_format: 'A{SEQ:3}' },
    { key: 'b', invoice_format: 'A{SEQ:5}' },
  ]
  expect(await refusal({ series: same })).toBe(
    '422 number_format_invalid legal_entity.series[1].invoice_format',
  )
  const both = { invoice_format: 'D{SEQ:3}', credit_note_format: 'D{SEQ:3}' }
  expect(await refusal({ series: [{ key: 'a', ...both }] })).toBe(
    '422 number_format_invalid legal_entity.series[0].credit_note_format',
  )
  const backwards = [{ country: 'FR', from: '2027-02-01', until: '2027-01-31' }]
  expect(await refusal({ registrations: backwards })).toBe(
    '422 legal_entity_invalid legal_entity.registrations[0].until',
  )
  const { legal_entity } = await taxes.createEntity(caller, {
    ...GERMAN_ENTITY,
    tax_ids: [{ type: 'vat', value: 'DE136695976' }],
  })
  const moved = { ...GERMAN_ENTITY.address, country: 'FR' }
  expect(await refusalOf(taxes.editEntity(caller, legal_entity.id, { address: moved }))).toBe(
    '422 tax_id_country_mismatch legal_entity.tax_ids[0].value',
  )
})

// Proves reference/billing-tax#postal-codes.
test('a seller in Hong Kong has no postal code, an account number, an FPS id and a business registration', async () => {
  const { caller } = await fixture.business()
  const members = {
    name: 'Harbour Tea Limited',
    address: { line1: '8 Queen’s Road', city: 'Central', country: 'HK' },
    registrations: [],
    tax_ids: [{ type: 'hk_br', value: '1234 5678' } as const],
    bank: {
      account_number: '808123456838',
      bank_code: '004',
      branch_code: '808',
      bank_name: 'HSBC',
      account_holder: 'Harbour Tea',
      bic: 'hsbchkhh',
      fps_id: '1234567',
    },
  }
  const { legal_entity: made } = await taxes.createEntity(caller, members)
  expect(made).toMatchObject({
    address: members.address,
    tax_ids: [{ type: 'hk_br', value: '12345678' }],
    bank: { ...members.bank, bic: 'HSBCHKHH' },
  })
  expect(made.address).not.toHaveProperty('postal_code')
  const customer = await fixture.customer(caller)
  const { billing_details: details } = await taxes.editDetails(caller, customer, {
    address: { line1: 'Rua Central 1', postal_code: null, city: 'Macau', country: 'MO' },
    tax_ids: [{ type: 'au_abn', value: '51 824 753 556' }],
  })
  expect(details.address).toEqual({ line1: 'Rua Central 1', city: 'Macau', country: 'MO' })
  expect(details.tax_ids).toEqual([{ type: 'au_abn', value: '51824753556', state: 'unverified' }])
  const { postal_code: _, ...german } = GERMAN_ENTITY.address
  expect(await refusalOf(taxes.createEntity(caller, { ...GERMAN_ENTITY, address: german }))).toBe(
    '400 missing_member legal_entity.address.postal_code',
  )
  expect(await refusalOf(taxes.editDetails(caller, customer, { address: german }))).toBe(
    '400 missing_member billing_details.address.postal_code',
  )
})

// Proves reference/billing-tax#electronic-addresses.
test('a seller and a customer have electronic addresses, checked where the scheme has check digits', async () => {
  const { caller } = await fixture.business()
  const electronic_address = { scheme: '0088', value: '4012345000009' } as const
  const contact = { name: 'Ada', phone: '+49 30 123', email: 'ada@example.com' }
  const { legal_entity: made } = await taxes.createEntity(caller, {
    ...GERMAN_ENTITY,
    electronic_address,
    contact,
  })
  expect(made).toMatchObject({ electronic_address, contact })
  const { legal_entity: without } = await taxes.editEntity(caller, made.id, {
    electronic_address: null,
    contact: null,
  })
  expect(without).toMatchObject({ electronic_address: null, contact: null })
  const customer = await fixture.customer(caller)
  const { billing_details: details } = await taxes.editDetails(caller, customer, { electronic_address })
  expect(details.electronic_address).toEqual(electronic_address)
  for (const [scheme, value] of [
    ['0088', '4012345000008'],
    ['0192', '995525829'],
    ['0208', '0202239952'],
    ['0007', '5567321708'],
    ['0151', '51824753557'],
    ['0184', 'DK1234567'],
  ] as const) {
    const address = { electronic_address: { scheme, value } }
    expect(await refusalOf(taxes.editEntity(caller, made.id, address)), scheme).toBe(
      '422 electronic_address_invalid legal_entity.electronic_address.value',
    )
    expect(await refusalOf(taxes.editDetails(caller, customer, address))).toBe(
      '422 electronic_address_invalid billing_details.electronic_address.value',
    )
  }
})

// Proves reference/billing-tax#bank-accounts.
test('a bank account is refused by the member that is wrong', async () => {
  const { caller } = await fixture.business()
  const { legal_entity } = await taxes.createEntity(caller, GERMAN_ENTITY)
  const refusal = (bank: BankMembers) => refusalOf(taxes.editEntity(caller, legal_entity.id, { bank }))
  const invalid = '422 bank_invalid legal_entity.bank'
  const iban = 'DE89370400440532013000'
  const missing = '400 missing_member legal_entity.bank.iban'
  expect(await refusal({})).toBe(missing)
  expect(await refusal({ fps_id: '1234567' })).toBe(missing)
  expect(await refusal({ iban, account_number: '1' })).toBe(invalid)
  expect(await refusal({ iban: '' })).toBe(`${invalid}.iban`)
  expect(await refusal({ iban, bank_code: '004' })).toBe(`${invalid}.bank_code`)
  for (const account_number of ['', '1-2', '1 2', 'Ä1', '1'.repeat(35)]) {
    expect(await refusal({ account_number })).toBe(`${invalid}.account_number`)
  }
  expect(await refusal({ account_number: '1'.repeat(34) })).toBe('done')
  for (const fps_id of ['123456', '1234567890', 'a@', '+852', 'tea']) {
    expect(await refusal({ account_number: '1', fps_id })).toBe(`${invalid}.fps_id`)
  }
  for (const fps_id of ['1234567', '123456789', 'pay@tea.example', '+852-61234567']) {
    expect(await refusal({ iban, fps_id })).toBe('done')
  }
})

// Proves reference/billing-tax#settings.
test('settings have defaults, and tax or send_invoice without a legal entity is refused', async () => {
  const { caller } = await fixture.business()
  const defaults = {
    legal_entity_id: null,
    tax: 'none',
    collection: 'automatic',
    days_until_due: 30,
    late_days: 35,
    locked_until: null,
    accounts: null,
    datev: null,
    write_off_up_to: {},
  }
  expect(await taxes.settings(caller)).toEqual({ settings: defaults })
  const incomplete = '422 invoicing_incomplete settings.legal_entity_id'
  expect(await refusalOf(taxes.editSettings(caller, { tax: 'automatic' }))).toBe(incomplete)
  expect(await refusalOf(taxes.editSettings(caller, { collection: 'send_invoice' }))).toBe(incomplete)
  expect(await refusalOf(taxes.editSettings(caller, { legal_entity_id: 'len_none' }))).toBe(
    '404 legal_entity_not_found settings.legal_entity_id',
  )
  const { legal_entity } = await taxes.createEntity(caller, GERMAN_ENTITY)
  await taxes.editSettings(caller, { legal_entity_id: legal_entity.id, tax: 'automatic', days_until_due: 14 })
  const edited = { ...defaults, legal_entity_id: legal_entity.id, tax: 'automatic', days_until_due: 14 }
  expect(await taxes.settings(caller)).toEqual({ settings: edited })
  expect(await refusalOf(taxes.editSettings(caller, { legal_entity_id: null }))).toBe(incomplete)
  await taxes.editSettings(caller, { late_days: 10, tax: 'none', legal_entity_id: null })
  expect(await taxes.settings(caller)).toEqual({
    settings: { ...defaults, days_until_due: 14, late_days: 10 },
  })
})

// Proves reference/billing-tax#closed-months.
test('days are closed by anybody who edits settings, and opened by an owner only', async () => {
  const { caller } = await fixture.business()
  const by = (type: 'user' | 'api_key', ...scopes: string[]) => ({
    ...caller,
    actor: { type, id: 'one' },
    scopes: new Set(['billing:write', ...scopes]),
  })
  const locked = async () => (await taxes.settings(caller)).settings.locked_until
  await taxes.editSettings(by('api_key'), { locked_until: '2026-02-28' })
  await taxes.editSettings(by('user'), { locked_until: '2026-03-31' })
  expect(await locked()).toBe('2026-03-31')
  const others = [by('user'), by('api_key'), by('api_key', 'users:write'), caller]
  for (const other of others)
    for (const earlier of ['2026-03-30', null])
      expect(await refusalOf(taxes.editSettings(other, { locked_until: earlier }))).toBe(
        '403 owner_required settings.locked_until',
      )
  await taxes.editSettings(by('user'), { locked_until: '2026-03-31', days_until_due: 10 })
  expect(await locked()).toBe('2026-03-31')
  await taxes.editSettings(by('user', 'users:write'), { locked_until: '2026-01-31' })
  expect(await locked()).toBe('2026-01-31')
  await taxes.editSettings(by('user', 'users:write'), { locked_until: null })
  expect(await locked()).toBeNull()
})

test('an edit of locked_until waits for whoever has read it', async () => {
  const { caller } = await fixture.business()
  const order: string[] = []
  let edit: Promise<unknown> = Promise.resolve()
  await fixture.db.transact(caller.businessId, async (tx) => {
    expect(await lockedUntil(tx)).toBeNull()
    edit = taxes.editSettings(caller, { locked_until: '2026-03-31' }).then(() => order.push('closed'))
    await sleep(300)
    order.push('counted')
  })
  await edit
  expect(order).toEqual(['counted', 'closed'])
})

// Proves reference/billing-tax#billing-details.
test('billing details are stored for a customer, and the prefix of a VAT id is compared once there is an address', async () => {
  const { caller } = await fixture.business()
  const customer = await fixture.customer(caller)
  const nothing = {
    address: null,
    tax_ids: [],
    tax_exempt: 'none',
    exempt_reason: null,
    language: null,
    invoice_email: null,
    cc: [],
    electronic_address: null,
  }
  expect(await taxes.details(caller, customer)).toEqual({ customer_uuid: customer, billing_details: nothing })
  const address = { line1: 'Ermou 1', postal_code: '105 63', city: 'Athina', country: 'GR' }
  const greek = { type: 'vat', value: 'EL094259216' } as const
  await taxes.editDetails(caller, customer, { tax_ids: [{ type: 'vat', value: 'el 094259216' }] })
  const edited = await taxes.editDetails(caller, customer, { address, language: 'el' })
  const details = { ...nothing, address, tax_ids: [{ ...greek, state: 'unverified' }], language: 'el' }
  expect(edited).toEqual({ customer_uuid: customer, billing_details: details })
  const elsewhere = { ...address, country: 'DE' }
  expect(await refusalOf(taxes.editDetails(caller, customer, { address: elsewhere }))).toBe(
    '422 tax_id_country_mismatch billing_details.tax_ids[0].value',
  )
  expect(
    await refusalOf(taxes.editDetails(caller, customer, { tax_ids: [{ ...greek, value: 'EL1' }] })),
  ).toBe('422 tax_id_invalid billing_details.tax_ids[0].value')
  await taxes.editDetails(caller, customer, { address: null, tax_ids: [], language: null })
  expect(await taxes.details(caller, customer)).toEqual({ customer_uuid: customer, billing_details: nothing })
  const other = await fixture.business()
  expect(await refusalOf(taxes.details(other.caller, customer))).toBe('404 customer_not_found')
  expect(await refusalOf(taxes.editDetails(other.caller, customer, {}))).toBe('404 customer_not_found')
  const invalid = [{ ...greek, value: 'EL1' }]
  expect(await refusalOf(taxes.editDetails(other.caller, customer, { tax_ids: invalid }))).toBe(
    '404 customer_not_found',
  )
})

// Proves reference/billing-tax#billing-details.
test('an erasure takes the billing details away, and an erased customer gets none', async () => {
  const { caller, businessId } = await fixture.business()
  const customer = await fixture.customer(caller)
  await taxes.editDetails(caller, customer, { invoice_email: 'ada@example.com' })
  const subject = { uuid: customer, names: [customer], erasedName: 'erased', texts: [], objects: sql`` }
  const sources = [...TAXES_PERSONAL_DATA.sources, ...CUSTOMERS_PERSONAL_DATA.sources]
  const shown = await fixture.db.transact(businessId, async (tx) => {
    const [details] = TAXES_PERSONAL_DATA.sources
    const { rows } = (await details?.read(tx, subject, '')) ?? { rows: [] }
    for (const source of sources) await source.erase?.(tx, subject, '')
    await tx.execute(sql`
      update customers set erased_at = now() where business_id = ${businessId} and uuid = ${customer}`)
    return rows
  })
  expect(shown.map((row) => (JSON.parse(row) as { invoice_email: string }).invoice_email)).toEqual([
    'ada@example.com',
  ])
  expect((await taxes.details(caller, customer)).billing_details.invoice_email).toBeNull()
  expect(await refusalOf(taxes.editDetails(caller, customer, {}))).toBe('409 customer_erased')
})
