import { setImmediate } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { RequestError } from '#kernel/errors'
import type { StatementFormat } from '../model/bank-entry.ts'
import { camt053 } from '../testing/camt.ts'
import { readStatement } from './read-statement.ts'

/** A quiet machine needs 50 ms, and those of CI were up to five times slower. Quadratic work takes seconds. */
const MAX_TURN_MS = 400
/** Beside the statement itself. Garbage counts until it is collected: 24 were seen alone, 151 after other files. */
const MAX_MEMORY_MB = 200

const LENGTH = 28_000_000
const filled = (part: string, length = LENGTH) => part.repeat(Math.floor(length / part.length))
const remitted = (text: string) =>
  camt053([{ amount: '1.00', details: [{ remittance: 'HERE' }] }]).replace('HERE', text)
const withElements = (xml: string) => camt053([{ amount: '1.00' }]).replace('<NtryDtls>', `<NtryDtls>${xml}`)
const CSV = 'booking_date,amount,currency,remittance\n'

interface Reading {
  readonly outcome: number | string
  readonly longestTurnMs: number
  readonly memoryMb: number
}

/** Returns the text in one piece, because a repeated text is joined only when it is first read. */
function asReceived(content: string): string {
  return Buffer.from(content).toString()
}

/** Measures turns in processor time of this thread, because other tests run at the same time. */
async function read(format: StatementFormat, content: string): Promise<Reading> {
  const memory = () => getHeapStatistics().used_heap_size / 1e6
  const before = memory()
  const busyMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  const seen = { turn: 0, memory: 0, isOver: false }
  let last = busyMs()
  const outcome = countEntries(format, content).finally(() => (seen.isOver = true))
  while (!seen.isOver) {
    await setImmediate()
    const now = busyMs()
    seen.turn = Math.max(seen.turn, now - last)
    seen.memory = Math.max(seen.memory, memory() - before)
    last = busyMs()
  }
  return { outcome: await outcome, longestTurnMs: seen.turn, memoryMb: seen.memory }
}

async function countEntries(format: StatementFormat, content: string): Promise<number | string> {
  let count = 0
  try {
    for await (const entries of readStatement(format, content)) count += entries.length
    return count
  } catch (error) {
    if (error instanceof RequestError && error.reason === 'statement_invalid') return error.message
    throw error
  }
}

// Proves reference/billing-transfers#statements.
test.each([
  ['a remittance of 28 MB', 'camt053', () => remitted(filled('INV-2027-000042 ')), 'part of more than'],
  ['a remittance of 28 MB of CDATA', 'camt053', () => remitted(`<![CDATA[${filled('\r\n')}]]>`), 'part of'],
  ['a remittance in pieces of CDATA', 'camt053', () => remitted(filled('<![CDATA[1]]>')), 'part of'],
  ['a remittance of entities', 'camt053', () => remitted(filled('&#x41;')), 'part of more than'],
  ['a remittance of line ends', 'camt053', () => remitted(filled('\r')), 'part of more than'],
  ['a remittance of 10,001 characters', 'camt053', () => remitted(filled('1', 10_001)), 'more than 10000'],
  ['2,000,000 attributes', 'camt053', () => withElements(`<a ${attributes(2_000_000)}/>`), '64 attributes'],
  ['an attribute of 28 MB', 'camt053', () => withElements(`<a b="${filled('\n')}"/>`), 'part of'],
  ['2,000,000 empty elements', 'camt053', () => withElements(filled('<a/>', 8_000_000)), 1],
  ['2,000,000 transfers', 'camt053', () => withElements(filled('<TxDtls/>', 18_000_000)), '100000 transfers'],
  ['2,000,000 texts', 'camt053', () => remitted(`</Ustrd>${filled('<Ustrd/>', 16e6)}<Ustrd>`), '10000 texts'],
  ['1,000,000 deep elements', 'camt053', () => withElements(filled('<a>')), '40 levels'],
  ['a name of 28 MB', 'camt053', () => withElements(`<${filled('a')}/>`), 'part of'],
  ['long names in one another', 'camt053', () => withElements(nested(30, filled('<a/>', 20e6))), 1],
  ['a comment of hyphens', 'camt053', () => withElements(`<!--${filled('- ')}-->`), 'part of'],
  ['an instruction', 'camt053', () => withElements(`<?a ${filled('? ')}?>`), 'part of'],
  ['an entity of 28 MB', 'camt053', () => withElements(`&${filled('a')};`), 'part of'],
  ['a document type', 'camt053', () => `<!DOCTYPE a [${filled('<!ENTITY b "c">')}]><a/>`, 'part of'],
  ['a line of 28 MB', 'csv', () => `${CSV}2031-06-16,1.00,EUR,${filled('1')}`, 'longer than 150000'],
  ['1,000,000 columns', 'csv', () => filled('column,'), 'longer than 150000'],
  ['1,000,000 cells', 'csv', () => CSV + filled(','), 'longer than 150000'],
  [
    'a quotation without end',
    'csv',
    () => `${CSV}2031-06-16,1.00,EUR,"${filled('""')}`,
    'longer than 150000',
  ],
  ['28,000,000 lines', 'csv', () => CSV + filled('\n'), 0],
  ['600,000 debits', 'csv', () => CSV + filled('2031-06-16,-1,EUR,\n', 11e6), 0],
  ['600,000 credits', 'csv', () => CSV + filled('2031-06-16,1,EUR,\n', 11e6), 611_111],
  ['2,800 texts of digits', 'csv', () => CSV + filled(`2031-06-16,1,EUR,${filled('1', 9_900)}\n`), 2_823],
] as const)(
  '%s leaves other requests their turns and takes little memory',
  async (_, format, make, expected) => {
    const { outcome, longestTurnMs, memoryMb } = await read(format, asReceived(make()))
    if (typeof expected === 'string') expect(outcome).toContain(expected)
    else expect(outcome).toBe(expected)
    expect(longestTurnMs).toBeLessThan(MAX_TURN_MS)
    expect(memoryMb).toBeLessThan(MAX_MEMORY_MB)
  },
)

function attributes(count: number): string {
  return Array.from({ length: count }, (_, index) => `a${index}="1"`).join(' ')
}

function nested(depth: number, inner: string): string {
  const names = Array.from({ length: depth }, (_, index) => filled('a', 90_000) + String(index))
  return `${names.map((name) => `<${name}>`).join('')}${inner}${names
    .map((name) => `</${name}>`)
    .toReversed()
    .join('')}`
}
