import { expect, test } from 'vitest'
import { html } from './html.ts'

// Proves reference/conventions#texts.
test('a text is escaped for elements and attributes and loses direction overrides, and markup stays', () => {
  const name = `"><b>'05.1\u202e\u202d & Söhne\u200f`
  const shown = '&quot;&gt;&lt;b&gt;&#39;05.1 &amp; Söhne\u200f'
  expect(html`<p title="${name}">${html`<i>${name}</i>`}</p>`.text).toBe(
    `<p title="${shown}"><i>${shown}</i></p>`,
  )
})
