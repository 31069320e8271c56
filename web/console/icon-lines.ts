import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

type Icons = Readonly<Record<string, { readonly body: string }>>

const USE = /\bicon\('([a-z0-9-]+)'\)/g
/** Written once, at the `svg` element. */
const COMMON =
  / (?:fill="none"|stroke="currentColor"|stroke-linecap="round"|stroke-linejoin="round"|stroke-width="2")/g

/** Puts the lines of the icons that `components/icons.tsx` names in the place of their names. The package has 6,000. */
export function iconLines(): Plugin {
  return {
    name: 'icon-lines',
    enforce: 'pre',
    transform(code, file) {
      if (!file.endsWith('/components/icons.tsx')) return undefined
      const icons = readIcons()
      return code.replaceAll(USE, (_use, name: string) => {
        const body = icons[name]?.body
        if (body === undefined) throw new Error(`@iconify-json/tabler has no icon "${name}".`)
        return `/* @__PURE__ */ icon(${JSON.stringify(body.replaceAll(COMMON, ''))})`
      })
    },
  }
}

function readIcons(): Icons {
  const file = createRequire(import.meta.url).resolve('@iconify-json/tabler/icons.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as { icons: Icons }).icons
}
