import { isCurrency } from '#kernel/currencies'
import type { Money } from '#kernel/money'
import { invalidLine } from '../errors.ts'
import type { ReadEntry } from './identify-entries.ts'
import {
  checkLength,
  DATE_RULE,
  ibanOf,
  isDate,
  PIECE_ENTRIES,
  PIECE_LENGTH,
  readAmount,
  tooLong,
} from './statement-values.ts'
import { XmlReader, type XmlTexts } from './xml-reader.ts'

const REPORT = 'Document/BkToCstmrStmt'
const STATEMENT = `${REPORT}/Stmt`
const ACCOUNT = `${STATEMENT}/Acct`
const ENTRY = `${STATEMENT}/Ntry`
const DETAIL = `${ENTRY}/NtryDtls/TxDtls`

const DATES = ['BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm'] as const
/** Banks give the amount of a transfer in one of three places. */
const BOOKED_AMOUNTS = ['Amt', 'AmtDtls/TxAmt/Amt'] as const
/** Before banks on the way took their charges. */
const INSTRUCTED_AMOUNT = 'AmtDtls/InstdAmt/Amt'
const AMOUNTS = [...BOOKED_AMOUNTS, INSTRUCTED_AMOUNT] as const
const REMITTANCE = [
  'RmtInf/Ustrd',
  'RmtInf/Strd/CdtrRefInf/Ref',
  'RmtInf/Strd/RfrdDocInf/Nb',
  'RmtInf/Strd/AddtlRmtInf',
] as const

const SHAPE = {
  [REPORT]: [],
  [STATEMENT]: [],
  [ACCOUNT]: ['Id/IBAN', 'Id/Othr/Id'],
  [ENTRY]: [
    'Amt',
    'Amt/@Ccy',
    'CdtDbtInd',
    'RvslInd',
    'Sts',
    'Sts/Cd',
    ...DATES,
    'AcctSvcrRef',
    'AddtlNtryInf',
  ],
  [DETAIL]: [
    ...AMOUNTS.flatMap((path) => [path, `${path}/@Ccy`]),
    'CdtDbtInd',
    'Refs/AcctSvcrRef',
    'Refs/EndToEndId',
    'RltdPties/Dbtr/Nm',
    'RltdPties/Dbtr/Pty/Nm',
    'RltdPties/DbtrAcct/Id/IBAN',
    'RltdPties/CdtrAcct/Id/IBAN',
    ...REMITTANCE,
    'RtrInf',
  ],
}

/** What the schema allows once. */
const SINGLE = Object.fromEntries(
  Object.entries(SHAPE).map(([path, texts]) => [
    path,
    texts.filter((text) => !REMITTANCE.some((repeatable) => repeatable === text)),
  ]),
)

/** A batch of 100,000 transfers has some 50,000,000 characters. */
const MAX_DETAILS = 100_000

/**
 * Reads camt.053.001 of any version: later ones moved the status into a code and names into `Pty`. Yields the entries of a piece of the
 * text at a time.
 */
export function* parseCamt053(text: string): Generator<readonly ReadEntry[]> {
  checkLength(text)
  const found = { isReport: false, account: null as string | null }
  let details: Detail[] = []
  let closed: Source[] = []
  const reader = new XmlReader(SHAPE, (path, texts, line) => {
    const fail = (message: string) => invalidLine(line, message)
    refuse(repeated(texts, path), fail)
    if (path === REPORT) found.isReport = true
    else if (path === STATEMENT) found.account = null
    else if (path === ACCOUNT) {
      found.account = ibanOf(texts.first('Id/IBAN')) ?? texts.first('Id/Othr/Id')
      refuse(tooLong([found.account]), fail)
    } else if (path === DETAIL) {
      details.push(readDetail(texts, fail))
      if (details.length > MAX_DETAILS)
        throw fail(
          `belongs to an entry of more than ${MAX_DETAILS} transfers, which is the most that an entry can have`,
        )
    } else {
      closed.push({ entry: texts, details, account: found.account, fail })
      details = []
    }
  })
  for (let start = 0; start < text.length; start += PIECE_LENGTH) {
    reader.write(text.slice(start, start + PIECE_LENGTH))
    for (const source of closed) yield* entriesOf(source)
    closed = []
    yield []
  }
  reader.close()
  if (!found.isReport) throw invalidLine(1, 'begins XML that is not camt.053')
}

type Fail = (message: string) => Error

function refuse(problem: string | undefined, fail: Fail): void {
  if (problem !== undefined) throw fail(`begins an element that has ${problem}`)
}

function repeated(texts: XmlTexts, path: string): string | undefined {
  const found = SINGLE[path]?.find((text) => texts.isRepeated(text))
  return found === undefined ? undefined : `more than one ${found}`
}

interface Detail {
  readonly booked: readonly Money[]
  readonly instructed: Money | undefined
  readonly direction: string | null
  readonly isReturned: boolean
  readonly debtorName: string | null
  readonly debtorIban: string | null
  readonly creditorIban: string | null
  readonly reference: string | null
  readonly endToEndId: string | null
  readonly remittance: string
}

function readDetail(texts: XmlTexts, fail: Fail): Detail {
  const detail = {
    booked: BOOKED_AMOUNTS.flatMap((path) => amountOf(texts, path, fail) ?? []),
    instructed: amountOf(texts, INSTRUCTED_AMOUNT, fail),
    direction: texts.first('CdtDbtInd'),
    isReturned: texts.has('RtrInf'),
    debtorName: texts.first('RltdPties/Dbtr/Nm') ?? texts.first('RltdPties/Dbtr/Pty/Nm'),
    debtorIban: ibanOf(texts.first('RltdPties/DbtrAcct/Id/IBAN')),
    creditorIban: ibanOf(texts.first('RltdPties/CdtrAcct/Id/IBAN')),
    reference: referenceOf(texts.first('Refs/AcctSvcrRef')),
    endToEndId: referenceOf(texts.first('Refs/EndToEndId')),
    remittance: REMITTANCE.flatMap((path) => texts.all(path)).join(' '),
  }
  const { debtorName, debtorIban, creditorIban, reference, endToEndId, remittance } = detail
  refuse(tooLong([debtorName, reference, remittance], [debtorIban, creditorIban, endToEndId]), fail)
  return detail
}

interface Source {
  readonly entry: XmlTexts
  readonly details: readonly Detail[]
  readonly account: string | null
  readonly fail: Fail
}

function* entriesOf(source: Source): Generator<readonly ReadEntry[]> {
  const { entry, details, fail } = source
  const status = entry.first('Sts/Cd') ?? entry.first('Sts')
  if (status === null) throw fail('begins an entry without a status')
  if (status !== 'BOOK') return
  const whole = amountOf(entry, 'Amt', fail)
  if (whole === undefined) throw fail('begins an entry without a valid amount')
  if (details.length > 1) {
    const own = details.map((detail) => amountIn(whole.currency, detail))
    if (own.every((amount) => amount !== undefined)) {
      for (let start = 0; start < details.length; start += PIECE_ENTRIES) {
        yield details
          .slice(start, start + PIECE_ENTRIES)
          .flatMap((detail, index) =>
            readEntry(source, [detail], { amount: own[start + index] ?? whole, isPart: true }),
          )
      }
      return
    }
  }
  const [detail] = details.length === 1 ? details : []
  const amount = detail?.booked.find(({ currency }) => currency === whole.currency) ?? whole
  yield readEntry(source, details, { amount, isPart: false })
}

/** An amount in another currency is what was instructed, not booked. */
function amountIn(booked: string, detail: Detail): Money | undefined {
  const amounts = [...detail.booked, ...(detail.instructed === undefined ? [] : [detail.instructed])]
  return amounts.find(({ currency }) => currency === booked)
}

function amountOf(texts: XmlTexts, path: string, fail: Fail): Money | undefined {
  const currency = texts.first(`${path}/@Ccy`)
  const text = texts.first(path)
  if (currency === null || text === null || !isCurrency(currency)) return undefined
  const amount = readAmount(currency, text)
  if (typeof amount === 'string') throw fail(`begins an element with an amount (${path}) that ${amount}`)
  return amount.isNegative() ? undefined : amount
}

/** Reads one entry from the details of one transfer, or from those of a whole batch whose transfers have no amounts. */
function readEntry(
  { entry, account, fail }: Source,
  details: readonly Detail[],
  { amount, isPart }: { readonly amount: Money; readonly isPart: boolean },
): ReadEntry[] {
  const detail = details.length === 1 ? details[0] : undefined
  const kind = kindOf(entry, detail, fail)
  if (kind === undefined || amount.isZero()) return []
  const bookingDate = DATES.flatMap((path) => entry.first(path) ?? [])[0]?.slice(0, 'YYYY-MM-DD'.length) ?? ''
  if (!isDate(bookingDate)) throw fail(`begins an entry without a booking date ${DATE_RULE}`)
  const reference = referenceOf(entry.first('AcctSvcrRef'))
  const about = entry.first('AddtlNtryInf')
  const texts = details.map(({ remittance }) => remittance).filter((text) => text !== '')
  const remittance = texts.length === 0 ? (about ?? '') : texts.join(' ')
  refuse(tooLong([reference, about, remittance]), fail)
  return [
    {
      kind,
      account,
      bookingDate,
      amount,
      debtorName: detail?.debtorName ?? null,
      debtorIban: detail?.debtorIban ?? null,
      bankReference: detail?.reference ?? reference,
      endToEndId: detail?.endToEndId ?? null,
      remittance,
      returnedTo: kind === 'return' ? payerOf(detail, account) : null,
      isReferenceShared: isPart && detail?.reference === null,
    },
  ]
}

/** Banks leave the parties of a returned transfer as they were, or swap them. */
function payerOf(detail: Detail | undefined, account: string | null): string | null {
  const ibans = [detail?.debtorIban, detail?.creditorIban]
  return ibans.find((iban) => iban !== null && iban !== account) ?? null
}

function kindOf(entry: XmlTexts, detail: Detail | undefined, fail: Fail): ReadEntry['kind'] | undefined {
  const direction = detail?.direction ?? entry.first('CdtDbtInd')
  if (direction === 'CRDT') return 'credit'
  if (direction !== 'DBIT') throw fail('begins an entry that is neither a credit nor a debit')
  const isReversal = ['true', '1'].includes(entry.first('RvslInd') ?? '')
  return isReversal || detail?.isReturned === true ? 'return' : undefined
}

/** What banks write if there is no reference. */
const NO_REFERENCES: ReadonlySet<string> = new Set(['NOTPROVIDED', 'NOT PROVIDED', 'NONREF', 'NOREF'])

function referenceOf(text: string | null): string | null {
  return text === null || NO_REFERENCES.has(text.toUpperCase()) ? null : text
}
