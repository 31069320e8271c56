import { afterEach, expect, test, vi } from 'vitest'
import { parseExact } from '../src/exact-json.ts'
import { type Column, printObject, printRows } from '../src/output.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

function printed(write: () => void): string {
  const lines: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(String(text))
    return true
  })
  write()
  return lines.join('')
}

const COLUMNS: readonly Column<{ name: string; state?: string }>[] = [
  { title: 'name', of: ({ name }) => name },
  { title: 'state', of: ({ state }) => state },
]

test('rows are a table for people and JSON for programs', () => {
  const rows = [{ name: 'one', state: 'open' }, { name: 'two' }]
  const table = printed(() => printRows(rows, COLUMNS, 'table'))
  expect(table.split('\n').map((line) => line.trimEnd())).toEqual([
    ' name   state',
    ' one    open',
    ' two',
    '',
  ])
  expect(JSON.parse(printed(() => printRows(rows, COLUMNS, 'json')))).toEqual(rows)
  expect(printed(() => printRows([], COLUMNS, 'table'))).toBe('Nothing was found.\n')
})

test('an object is shown member by member, with what is inside it indented and nothing that has no value', () => {
  const order = {
    number: 'ord_1',
    due_date: null,
    note: '',
    metadata: {},
    tags: ['a', 'b'],
    lines: [
      { label: 'Teapot', price: '1.50' },
      { label: 'Tea', price: '2.00' },
    ],
    total: parseExact('3.50'),
  }
  expect(printed(() => printObject(order, 'table'))).toBe(
    [
      'number  ord_1',
      'tags    a, b',
      'lines',
      '  - label  Teapot',
      '    price  1.50',
      '  - label  Tea',
      '    price  2.00',
      'total   3.50',
      '',
    ].join('\n'),
  )
  expect(JSON.parse(printed(() => printObject(order, 'json')))).toMatchObject({ due_date: null, total: 3.5 })
})

test('a text of a payer cannot control the terminal', () => {
  const rows = [{ name: '\u001B[2Jgone\u0007' }]
  expect(printed(() => printRows(rows, COLUMNS, 'table'))).toContain(' �[2Jgone� ')
  expect(printed(() => printObject(rows[0] ?? {}, 'table'))).toBe('name  �[2Jgone�\n')
  const reversed = [{ name: 'paid\u202E00.1\u0085' }]
  expect(printed(() => printRows(reversed, COLUMNS, 'table'))).toContain(' paid�00.1� ')
})
