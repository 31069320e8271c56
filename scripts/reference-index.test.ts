import { expect, test } from 'vitest'
import {
  anchorsOf,
  citationsOf,
  foreignCitationsOf,
  localLinksOf,
  missingPathsIn,
  namesOfRecord,
  provedBy,
  recordsCitedIn,
  renderIndex,
  sectionsOf,
  slugOf,
} from './reference-index-text.ts'

test('a heading has the anchor that GitHub gives it', () => {
  expect(slugOf('Unknown outcomes')).toBe('unknown-outcomes')
  expect(slugOf('API keys')).toBe('api-keys')
  expect(slugOf('`filter`: what it takes')).toBe('filter-what-it-takes')
})

test('sections are the headings of the second level, outside code', () => {
  const markdown = '# Orders\n\n## States\n\n```sh\n## not a heading\n```\n\n### Details\n\n## Two steps\n'
  expect(sectionsOf('orders', markdown)).toEqual([
    { id: 'orders#states', title: 'States' },
    { id: 'orders#two-steps', title: 'Two steps' },
  ])
  expect([...anchorsOf(markdown)]).toEqual(['orders', 'states', 'details', 'two-steps'])
})

test('a Proves comment names sections, over several lines, and ends with its sentence or with the comment', () => {
  const source = `
// Proves reference/orders#voiding, reference/payments#reservations,
// reference/payments#two-steps.
// Not a proof: reference/orders#states.
test('one', () => {})
  // Proves reference/cards#holds
const x = 'reference/cards#limits'
// See reference/cards#status.`
  expect(provedBy(source)).toEqual([
    'orders#voiding',
    'payments#reservations',
    'payments#two-steps',
    'cards#holds',
  ])
})

test('citations are found in comments and documents, and not in addresses', () => {
  const text =
    '(reference/orders#voiding), docs/reference/orders.md#totals, https://example.com/reference/orders#x, reference/orders#voiding.'
  expect(citationsOf(text)).toEqual(['orders#voiding', 'orders#totals'])
})

test('a text that cites something outside the repository is named', () => {
  expect(foreignCitationsOf('as decisions, section 3, says')).toEqual(['decisions, section'])
  expect(foreignCitationsOf('(interface, endpoint 7), ../shared/spec')).toEqual([
    '../shared',
    'interface, endpoint',
  ])
  expect(foreignCitationsOf('docs/decisions, and the interface of a module')).toEqual([])
})

test('a decision record is cited by its topic or its whole name, not by its number alone', () => {
  const names = namesOfRecord('0012-event-bundles.md')
  const cited = recordsCitedIn(
    '(docs/decisions/event-bundles), docs/decisions/0012-event-bundles.md, docs/decisions/0012.',
  )
  expect(cited).toEqual(['event-bundles', '0012-event-bundles', '0012'])
  expect(cited.filter((record) => names.includes(record))).toEqual(['event-bundles', '0012-event-bundles'])
})

test('links within the repository are read; other links and code are not', () => {
  const markdown = '[a](orders.md#voiding) [b](https://example.com) [c](#top)\n```\n[d](nowhere.md)\n```\n'
  expect(localLinksOf(markdown)).toEqual(['orders.md#voiding', '#top'])
})

test('the index lists every section with its tests, and says when there is none', () => {
  const sections = sectionsOf('orders', '## States\n## Two steps\n')
  const tests = new Map([['orders#states', ['src/a.test.ts', 'src/b.test.ts']]])
  const index = renderIndex([{ name: 'orders', title: 'Orders', sections }], tests)
  expect(index).toContain('| [States](orders.md#states) | `src/a.test.ts`<br>`src/b.test.ts` |')
  expect(index).toContain('| [Two steps](orders.md#two-steps) | none |')
})

test('a Markdown file names only code that exists, with or without the beginning of its path', () => {
  const paths = ['src/modules/payments/charges/pay-order.ts', 'src/modules/payments/charges/']
  const missing = (markdown: string, namesFiles = false) => missingPathsIn(markdown, paths, { namesFiles })
  expect(missing('`payments/charges/pay-order.ts`, `charges/`, `pay/{id}` and `PAY.ts`')).toEqual([])
  expect(missing('`payments/pay-order.ts`, `voids/`, `order.ts` and `charges/pay.js`')).toEqual([
    'payments/pay-order.ts',
    'voids/',
    'charges/pay.js',
  ])
  expect(missing('`pay-order.ts` and `pay.ts`', true)).toEqual(['pay.ts'])
  expect(missing('```sh\nnode `src/gone.ts`\n```\n`migrations/NNNN_name.sql`')).toEqual([])
})
