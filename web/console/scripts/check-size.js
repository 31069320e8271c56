// @ts-check
/** Checks how much script a browser loads for the first pages, by the manifest of the build. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const DIST = fileURLToPath(new URL('../dist', import.meta.url))
/** Bytes of Brotli, which the service sends to every browser that can show the console. */
const LIMIT = 260_000
/** Of any other page, where a link opens it first: the shell with the page. Lists have the table and the filters. */
const PAGE_LIMIT = 300_000
const TEXTS = ['src/locales/en/app.json', 'src/locales/en/components.json']
const SHELL = ['index.html', 'src/app/shell.tsx', ...TEXTS]
const PAGE = /^src\/pages\/(?!sign-in\/).*-page\.tsx$/
const NOTIFICATIONS = '../../node_modules/@mantine/notifications/esm/index.mjs'
/** All that these pages load by themselves. `scenarios/console/home.test.ts` counts what a browser loads for Home. */
const FIRST_PAGES = {
  'sign-in': [
    'index.html',
    NOTIFICATIONS,
    'src/pages/sign-in/sign-in-page.tsx',
    'src/locales/en/sign-in.json',
    ...TEXTS,
  ],
  home: [
    ...SHELL,
    NOTIFICATIONS,
    'src/pages/home/home-page.tsx',
    'src/locales/en/home.json',
    'src/locales/en/reports.json',
  ],
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

/** @param {readonly string[]} names */
function bytesOf(names) {
  let bytes = 0
  for (const file of scriptsOf(names)) bytes += statSync(join(DIST, `${file}.br`)).size
  return bytes
}

/**
 * @param {string} page
 * @param {number} bytes
 * @param {number} limit
 */
function check(page, bytes, limit) {
  const text = `console, ${page}: ${(bytes / 1000).toFixed(1)} kB of script`
  if (bytes <= limit) return console.log(text)
  process.exitCode = 1
  return console.error(`${text}, at most ${limit / 1000} kB are allowed`)
}

for (const [page, names] of Object.entries(FIRST_PAGES)) check(page, bytesOf(names), LIMIT)
const pages = Object.keys(manifest).filter((name) => PAGE.test(name))
if (pages.length < 20) throw new Error(`The manifest of the build has ${pages.length} pages only.`)
for (const page of pages) check(page, bytesOf([...SHELL, page]), PAGE_LIMIT)
