// @ts-check
/** Checks how much script a browser loads for the first pages, by the manifest of the build. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const DIST = fileURLToPath(new URL('../dist', import.meta.url))
/** Bytes of Brotli, which the service sends to every browser that can show the console. */
const LIMIT = 250_000
const SHELL = ['index.html', 'src/app/shell.tsx']
const TEXTS = ['src/locales/en/app.json', 'src/locales/en/components.json']
/** What is loaded once the page is on the screen is not counted: the charts of Home, and the command palette. */
const FIRST_PAGES = {
  'sign-in': ['index.html', 'src/pages/sign-in/sign-in-page.tsx', 'src/locales/en/sign-in.json', ...TEXTS],
  home: [...SHELL, 'src/pages/home/home-page.tsx', 'src/locales/en/home.json', ...TEXTS],
}

/** @type {Record<string, {file: string, imports?: string[]}>} */
const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8'))

/**
 * @param {readonly string[]} names
 * @returns {Set<string>} the scripts that these chunks and their static imports are in
 */
function scriptsOf(names) {
  const seen = new Set()
  const files = new Set()
  const queue = [...names]
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const chunk = manifest[name]
    if (chunk === undefined) throw new Error(`The manifest of the build has no ${name}.`)
    if (seen.has(name)) continue
    seen.add(name)
    if (chunk.file.endsWith('.js')) files.add(chunk.file)
    queue.push(...(chunk.imports ?? []))
  }
  return files
}

let isTooMuch = false
for (const [page, names] of Object.entries(FIRST_PAGES)) {
  const files = scriptsOf(names)
  let bytes = 0
  for (const file of files) bytes += statSync(join(DIST, `${file}.br`)).size
  const text = `console, ${page}: ${(bytes / 1000).toFixed(1)} kB of script in ${files.size} files`
  if (bytes > LIMIT) {
    isTooMuch = true
    console.error(`${text}, at most ${LIMIT / 1000} kB are allowed`)
  } else {
    console.log(text)
  }
}
if (isTooMuch) process.exit(1)
