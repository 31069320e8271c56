import { isCurrency } from '#kernel/currencies'
import { Money, parseMoney } from '#kernel/money'
import { invalidLine } from '../errors.ts'
import type { StatementEntry } from '../model/statement-entry.ts'
import { identifyEntries, type ReadEntry } from './identify-entries.ts'
import { ibanOf, isDate } from './statement-values.ts'
import { elementAt, elementsOf, readXml, textAt, type Xml } from './xml-tree.ts'

const REPORT = 'Document/BkToCstmrStmt'
const STATEMENT = `${REPORT}/Stmt`
const ACCOUNT = `${STATEMENT}/Acct`
const ENTRY = `${STATEMENT}/Ntry`

/** Reads camt.053.001 of any version: later ones moved the status into a code and names into `Pty`. */
export async function parseCamt053(text: string): Promise<StatementEntry[]> {
  const entries: ReadEntry[] = []
  const found = { isReport: false, account: null as string | null }
  await readXml(text, new Set([ACCOUNT, ENTRY]), {
    onOpen: (path) => {
      if (path === REPORT) found.isReport = true
      if (path === STATEMENT) found.account = null
    },
    onElement: (path, element, line) => {
      if (path === ACCOUNT) {
        found.account = ibanOf(textAt(element, 'Id/IBAN')) ?? textAt(element, 'Id/Othr/Id')
        return
      }
      const fail = (message: string) => invalidLine(line, message)
      for (const entry of entriesOf({ entry: element, account: found.account, fail })) entries.push(entry)
    },
  })
  if (!found.isReport) throw invalidLine(1, 'begins XML that is not camt.053')
  return identifyEntries(entries)
}

interface Source {
  readonly entry: Xml
  readonly account: string | null
  readonly fail: (message: string) => Error
}

function entriesOf(source: Source): ReadEntry[] {
  const { entry, fail } = source
  const status = textAt(entry, 'Sts/Cd') ?? textAt(entry, 'Sts')
  if (status === null) throw fail('begins an entry without a status')
  if (status !== 'BOOK') return []
  const whole = amountOf(elementAt(entry, 'Amt'))
  if (whole === undefined) throw fail('begins an entry without a valid amount')
  const details = elementsOf(entry, 'NtryDtls').flatMap((batch) => elementsOf(batch, 'TxDtls'))
  const amounts = details.map((detail) => ownAmount(detail, whole.currency))
  const own = amounts.filter((amount) => amount !== undefined)
  if (details.length > 1 && own.length === details.length) {
    return details.flatMap((detail, index) =>
      readEntry(source, [detail], { amount: own[index] ?? whole, isPart: true }),
    )
  }
  return readEntry(source, details, {
    amount: (details.length === 1 ? own[0] : undefined) ?? whole,
    isPart: false,
  })
}

/** Banks give the amount of a transfer in one of three places. One in another currency is what was instructed, not booked. */
function ownAmount(detail: Xml, currency: string): Money | undefined {
  return ['Amt', 'AmtDtls/TxAmt/Amt', 'AmtDtls/InstdAmt/Amt']
    .map((path) => amountOf(elementAt(detail, path)))
    .find((amount) => amount?.currency === currency)
}

function amountOf(element: Xml | undefined): Money | undefined {
  if (element === undefined || typeof element === 'string') return undefined
  const { '@Ccy': currency, '#': text } = element
  if (typeof currency !== 'string' || typeof text !== 'string' || !isCurrency(currency)) return undefined
  const amount = parseMoney(currency, text.trim())
  return amount instanceof Money && !amount.isNegative() ? amount : undefined
}

/** One entry of one transfer's details, or of those of a whole batch whose transfers have no amounts. */
function readEntry(
  { entry, account, fail }: Source,
  details: readonly Xml[],
  { amount, isPart }: { readonly amount: Money; readonly isPart: boolean },
): ReadEntry[] {
  const detail = details.length === 1 ? details[0] : undefined
  const kind = kindOf(entry, detail, fail)
  if (kind === undefined || amount.isZero()) return []
  const bookingDate = dateOf(entry)
  if (bookingDate === null) throw fail('begins an entry without a booking date')
  const own = referenceAt(detail, 'Refs/AcctSvcrRef')
  const remittance = details.flatMap(remittanceOf).join(' ')
  return [
    {
      kind,
      account,
      bookingDate,
      amount,
      debtorName: textAt(detail, 'RltdPties/Dbtr/Nm') ?? textAt(detail, 'RltdPties/Dbtr/Pty/Nm'),
      debtorIban: ibanOf(textAt(detail, 'RltdPties/DbtrAcct/Id/IBAN')),
      bankReference: own ?? referenceAt(entry, 'AcctSvcrRef'),
      endToEndId: referenceAt(detail, 'Refs/EndToEndId'),
      remittance: remittance === '' ? (textAt(entry, 'AddtlNtryInf') ?? '') : remittance,
      isReferenceShared: own === null && isPart,
    },
  ]
}

function kindOf(entry: Xml, detail: Xml | undefined, fail: Source['fail']): ReadEntry['kind'] | undefined {
  const direction = textAt(detail, 'CdtDbtInd') ?? textAt(entry, 'CdtDbtInd')
  if (direction === 'CRDT') return 'credit'
  if (direction !== 'DBIT') throw fail('begins an entry that is neither a credit nor a debit')
  const isReversal = ['true', '1'].includes(textAt(entry, 'RvslInd') ?? '')
  return isReversal || elementAt(detail, 'RtrInf') !== undefined ? 'return' : undefined
}

function dateOf(entry: Xml): string | null {
  const date = ['BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm']
    .map((path) => textAt(entry, path)?.slice(0, 'YYYY-MM-DD'.length))
    .find((text) => text !== undefined)
  return date !== undefined && isDate(date) ? date : null
}

/** What banks write where there is none. */
const NO_REFERENCES: ReadonlySet<string> = new Set(['NOTPROVIDED', 'NOT PROVIDED', 'NONREF', 'NOREF'])

function referenceAt(parent: Xml | undefined, path: string): string | null {
  const reference = textAt(parent, path)
  return reference === null || NO_REFERENCES.has(reference.toUpperCase()) ? null : reference
}

function remittanceOf(detail: Xml): string[] {
  const remittance = elementAt(detail, 'RmtInf')
  const structured = elementsOf(remittance, 'Strd')
  const texts = [
    ...elementsOf(remittance, 'Ustrd').map((text) => textAt({ text }, 'text')),
    ...structured.map((one) => textAt(one, 'CdtrRefInf/Ref')),
    ...structured.flatMap((one) => elementsOf(one, 'RfrdDocInf').map((document) => textAt(document, 'Nb'))),
    ...structured.flatMap((one) => elementsOf(one, 'AddtlRmtInf').map((text) => textAt({ text }, 'text'))),
  ]
  return texts.filter((text) => text !== null)
}
