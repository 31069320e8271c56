import { expect, test } from 'vitest'
import { MESSAGE_KINDS, OPTIONAL_KINDS } from '../model/kinds.ts'
import { PLACEHOLDERS } from '../model/placeholders.ts'
import { renderMessage } from './render.ts'

const brand = {
  businessName: 'The Shop',
  logoUrl: null,
  color: null,
  email: null,
  phone: null,
  website: null,
}

// Proves reference/messages#templates.
test('nothing that a name holds becomes HTML', () => {
  const values = Object.fromEntries(PLACEHOLDERS.map((name) => [name, '<b>']))
  for (const kind of MESSAGE_KINDS) {
    const details = { lines: [], rows: [{ label: 'plan_name' as const, value: '<script>' }] }
    const { html, text } = renderMessage({
      kind,
      language: 'en',
      brand,
      values,
      details,
      ...(OPTIONAL_KINDS.has(kind) && { unsubscribeUrl: 'https://pay.example.com/u' }),
    })
    expect(html).not.toContain('<script>')
    expect(text).toContain('<script>')
  }
})
