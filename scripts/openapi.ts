/** Writes openapi.json from the routes of the service, unless two errors share a code. With --check, it only compares the committed file. */
import { readFileSync, writeFileSync } from 'node:fs'
import { platformErrors } from '#platform/errors'
import { listErrors } from '#platform/http/openapi/error-catalogue'
import { openApiDocument } from '#platform/http/openapi/openapi'
import { BASE_URL, composeUnconnected } from './compose-unconnected.ts'

const FILE = 'openapi.json'

const composition = await composeUnconnected()
const catalogues = [platformErrors.catalogue, ...composition.catalogues]
listErrors(catalogues)
const document = openApiDocument({
  routes: composition.routes,
  events: composition.events,
  catalogues,
  publicUrl: BASE_URL,
})
const text = `${JSON.stringify(document, null, 2)}\n`

if (process.argv.includes('--check')) {
  if (readFileSync(FILE, 'utf8') !== text) {
    console.error(`${FILE} does not match the routes; update it with: npm run openapi`)
    process.exit(1)
  }
  console.log(`${FILE} matches the routes`)
} else {
  writeFileSync(FILE, text)
}
