import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast } from '#kernel/readable-color'
import { themeOf } from './theme.ts'

const ANY_COLOR = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`)

function read(theme: string): { accent: string; button: string; onButton: string; darkAccent: string } {
  const colors = [...theme.matchAll(/--([a-z-]+):(#[0-9a-f]{6})/g)].map(([, , color]) => color ?? '')
  const [accent = '', button = '', onButton = '', darkAccent = ''] = colors
  return { accent, button, onButton, darkAccent }
}

// Proves reference/pages#branding.
test('every colour of a merchant gives texts that are readable (WCAG AA)', () => {
  fc.assert(
    fc.property(ANY_COLOR, (color) => {
      const { accent, button, onButton, darkAccent } = read(themeOf(color))
      expect(button).toBe(color)
      for (const [text, surface] of [
        [onButton, button],
        [accent, '#ffffff'],
        [accent, '#f6f6f4'],
        [darkAccent, '#202226'],
        [darkAccent, '#16171a'],
      ] as const) {
        expect(contrast(text, surface), `${color}: ${text} on ${surface}`).toBeGreaterThanOrEqual(4.5)
      }
    }),
  )
})

test('a colour that is readable stays as it is', () => {
  expect(read(themeOf('#1d4f8f'))).toMatchObject({ accent: '#1d4f8f', onButton: '#ffffff' })
  expect(read(themeOf('#8ab8f2'))).toMatchObject({ darkAccent: '#8ab8f2', onButton: '#000000' })
  expect(contrast('#000000', '#ffffff')).toBe(21)
})
