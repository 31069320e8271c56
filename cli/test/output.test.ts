import { afterEach, expect, test, vi } from 'vitest'
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

test('a text of a payer cannot control the terminal', () => {
  const rows = [{ name: '\u001B[2Jgone\u0007' }]
  expect(printed(() => printRows(rows, COLUMNS, 'table'))).toContain(' �[2Jgone� ')
  expect(printed(() => printObject(rows[0] ?? {}, 'table'))).toBe('name  �[2Jgone�\n')
})
