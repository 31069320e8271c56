import { expect, test } from 'vitest'
import { RequestError } from '#kernel/errors'
import { camt053 } from '../testing/camt.ts'
import { readStatement } from './read-statement.ts'

const parseCamt053 = async (xml: string) => (await Array.fromAsync(readStatement('camt053', xml))).flat()

const summary = async (xml: string) =>
  (await parseCamt053(xml)).map(
    ({ kind, amount, debtorName, debtorIban, bankReference, endToEndId, remittance }) => ({
      kind,
      amount: `${amount.currency} ${amount.toString()}`,
      debtorName,
      debtorIban,
      bankReference,
      endToEndId,
      remittance,
    }),
  )

async function problemOf(xml: string): Promise<{ reason: string; line: unknown; message: string }> {
  try {
    await parseCamt053(xml)
  } catch (error) {
    if (error instanceof RequestError) {
      const { line } = error.detail.data as { line: unknown }
      return { reason: error.reason, line, message: error.message }
    }
    throw error
  }
  throw new Error('nothing is wrong')
}

// Proves reference/billing-transfers#statements.
test.each(['02', '08', '10'] as const)(
  'a booked credit of version %s is read with its payer and texts',
  async (version) => {
    const details = [
      {
        reference: 'BANK-1',
        endToEndId: 'E2E-1',
        debtorName: 'Caf&#xe9; &amp; S&#246;hne',
        debtorIban: 'FR76 3000 6000 0112 3456 7890 189',
        remittance: 'Rechnung INV-2027-000042',
        creditorReference: 'RF18539007547034',
      },
    ]
    expect(await summary(camt053([{ amount: '000119.00', details }], version))).toEqual([
      {
        kind: 'credit',
        amount: 'EUR 119.00',
        debtorName: 'Café & Söhne',
        debtorIban: 'FR7630006000011234567890189',
        bankReference: 'BANK-1',
        endToEndId: 'E2E-1',
        remittance: 'Rechnung INV-2027-000042 RF18539007547034',
      },
    ])
  },
)

test('a prefix of the namespace and attributes in single quotes change nothing', async () => {
  const xml = camt053([{ amount: '1.00' }])
  const prefixed = xml
    .replace('xmlns=', 'xmlns:n=')
    .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1n:')
    .replaceAll('"EUR"', "'EUR'")
  expect(prefixed).toContain('<n:Ntry>')
  expect(await parseCamt053(prefixed)).toEqual(await parseCamt053(xml))
})

test('only booked credits count: no debits, and nothing that is pending', async () => {
  const entries = [
    { amount: '1.00', status: 'PDNG' },
    { amount: '2.00', direction: 'DBIT' as const },
    { amount: '3.00' },
    { amount: '4.00', status: 'INFO' },
  ]
  for (const version of ['02', '08'] as const) {
    expect((await summary(camt053(entries, version))).map(({ amount }) => amount)).toEqual(['EUR 3.00'])
  }
})

test.each(['Amt', 'AmtDtls/TxAmt/Amt', 'AmtDtls/InstdAmt/Amt'] as const)(
  'OCA bank-statement-import 157: each transfer of a batch has its own amount, given as %s',
  async (amountPath) => {
    const details = ['329.56', '100.00'].map((amount) => ({
      amount,
      amountPath,
      remittance: `pays ${amount}`,
    }))
    const entries = await summary(camt053([{ amount: '429.56', reference: 'BATCH', details }], '02'))
    expect(entries.map(({ amount, remittance }) => [amount, remittance])).toEqual([
      ['EUR 329.56', 'pays 329.56'],
      ['EUR 100.00', 'pays 100.00'],
    ])
  },
)

test('OCA bank-statement-import 475: transfers of a batch that share its reference are entries of their own', async () => {
  const detail = { amount: '50.00', remittance: 'same' }
  const xml = camt053([{ amount: '150.00', reference: 'BATCH', details: [detail, detail, detail] }])
  const identities = (await parseCamt053(xml)).map(({ identity }) => identity)
  expect(new Set(identities).size).toBe(3)
  expect((await parseCamt053(xml)).map(({ identity }) => identity)).toEqual(identities)
})

test('a batch without amounts of its transfers is one entry with all their texts', async () => {
  const details = [{ remittance: 'INV-1' }, { remittance: 'INV-2' }]
  expect(await summary(camt053([{ amount: '30.00', details }]))).toMatchObject([
    { amount: 'EUR 30.00', remittance: 'INV-1 INV-2' },
  ])
})

test('an amount that was instructed in another currency is not what was booked', async () => {
  const details = [{ amount: '130.00', amountPath: 'AmtDtls/InstdAmt/Amt' as const, currency: 'USD' }]
  expect(await summary(camt053([{ amount: '119.00', details }]))).toMatchObject([{ amount: 'EUR 119.00' }])
})

test('of one transfer that was booked without charges the booked amount counts, not the instructed one', async () => {
  const details = [{ amount: '119.00', amountPath: 'AmtDtls/InstdAmt/Amt' as const }]
  expect(await summary(camt053([{ amount: '117.50', details }]))).toMatchObject([{ amount: 'EUR 117.50' }])
})

test('a transfer with an amount that is no decimal of XML, or with two, is refused with its line', async () => {
  const two = [{ amount: '1.00' }, { amount: '2.00' }]
  const good = camt053([{ amount: '3.00', details: two }])
  const line = good.slice(0, good.lastIndexOf('<TxDtls>')).split('\n').length
  const wrong = ['1e5', '0x2', '2,00', 'Infinity'].map((text) => good.replace('>2.00<', `>${text}<`))
  for (const xml of [...wrong, good.replace('>2.00</Amt>', '>2.00</Amt><Amt Ccy="EUR">2.00</Amt>')])
    expect(await problemOf(xml)).toMatchObject({ reason: 'statement_invalid', line })
  expect(await summary(good.replace('>2.00<', '>+2.0<'))).toHaveLength(2)
})

test('a debit that reverses a credit, or says why it was returned, is a return', async () => {
  const entries = [
    { amount: '119.00', direction: 'DBIT' as const, reversal: true, details: [{ endToEndId: 'E2E-1' }] },
    { amount: '20.00', direction: 'DBIT' as const, details: [{ endToEndId: 'E2E-2', returned: true }] },
    { amount: '5.00', direction: 'DBIT' as const, reversal: false, details: [{}] },
  ]
  expect((await summary(camt053(entries))).map(({ kind, endToEndId }) => [kind, endToEndId])).toEqual([
    ['return', 'E2E-1'],
    ['return', 'E2E-2'],
  ])
})

test('what cannot be read is refused with its line', async () => {
  const good = camt053([{ amount: '1.00' }, { amount: '2.00' }])
  const lineOf = (part: string) => good.slice(0, good.indexOf(part)).split('\n').length
  const cases: [xml: string, line: number, message: string][] = [
    ['', 1, 'is not XML'],
    ['booking_date,amount', 1, 'is not XML'],
    [good.replace('</Stmt>', ''), lineOf('</BkToCstmrStmt>'), 'is not XML'],
    [good.replaceAll('BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn'), 1, 'is not camt.053'],
    [good.replace('>2.00<', '>two<'), lineOf('<Ntry><Amt Ccy="EUR">2.00'), 'amount'],
    [good.replace('>2.00<', '>1e5<'), lineOf('<Ntry><Amt Ccy="EUR">2.00'), 'decimal number, such as 119.00'],
    [
      good.replace('>2.00</Amt>', '>2.00</Amt><Amt Ccy="EUR">3.00</Amt>'),
      lineOf('<Ntry><Amt Ccy="EUR">2.00'),
      'more than one Amt.',
    ],
    [good.replace('"EUR">2.00', '"EUX">2.00'), lineOf('<Ntry><Amt Ccy="EUR">2.00'), 'amount'],
    [good.replace('<Sts><Cd>BOOK</Cd></Sts>', ''), lineOf('<Ntry>'), 'status'],
    [good.replace('<BookgDt><Dt>2027-06-15', '<BookgDt><Dt>15.06.2027'), lineOf('<Ntry>'), 'booking date'],
    [good.replace('CRDT', 'CREDIT'), lineOf('<Ntry>'), 'neither a credit nor a debit'],
  ]
  for (const [xml, line, message] of cases) {
    const problem = await problemOf(xml)
    expect(problem).toMatchObject({ reason: 'statement_invalid', line })
    expect(problem.message).toContain(message)
  }
})

test('no document type is read, so no entity can be expanded or fetched', async () => {
  const laughs = `<!DOCTYPE Document [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>\n`
  const xml = camt053([{ amount: '1.00', details: [{ remittance: '&b;' }] }]).replace(
    '<Document',
    `${laughs}<Document`,
  )
  expect(await problemOf(xml)).toMatchObject({ line: 2, reason: 'statement_invalid' })
})

test('size and depth are bounded', async () => {
  const deep = `${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}`
  expect((await problemOf(deep)).message).toContain('levels')
  expect((await problemOf(' '.repeat(30_000_001))).message).toContain('30000000 characters')
})

test('while a large statement is read, other work gets its turns', async () => {
  const xml = camt053(Array.from({ length: 5_000 }, () => ({ amount: '1.00' })))
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  expect(await parseCamt053(xml)).toHaveLength(5_000)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(2)
})
