import { expect, test } from 'vitest'
import { HOSTILE_TEXTS } from '#platform/testing/hostile-texts'
import { expectLinearTime } from '#platform/testing/processor-time'
import { storableText } from './document.ts'

// Proves reference/logs#audit-entries.
test('a long value is cut with a note, and a card number at the cut is left out', () => {
  const text = JSON.stringify({ note: 'x'.repeat(16_366) + '4242424242424242' + 'y'.repeat(100) })
  expect(storableText(text)).toMatch(/x \[cut: \d+ characters in all\]$/)
  expect(storableText(text)).not.toContain('4242')
})

// Proves reference/logs#cost.
test('the value of an entry takes time linear in its length', () => {
  for (const text of HOSTILE_TEXTS)
    expectLinearTime(text.name, (length) => storableText(JSON.stringify([text.ofLength(length)])), 16_384)
})
