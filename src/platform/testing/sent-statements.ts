import { appendFileSync } from 'node:fs'
import pg from 'pg'
import { cleanUp } from './clean-up.ts'

/** Where test processes write each statement that they send, a JSON string a line. Without it they write none. */
const FILE = process.env['TEST_STATEMENTS']

interface Parsing {
  parse: (this: unknown, message: { readonly text: string }) => void
}

const seen = new Set<string>()
let unwritten: string[] = []

/** Writes, when the test or the file ends, the statements with parameters that this process has not sent before. */
export function recordStatements(): void {
  if (FILE === undefined) return
  watchConnections()
  cleanUp(() => {
    // One write, so that lines of several processes do not mix.
    if (unwritten.length > 0)
      appendFileSync(FILE, unwritten.map((text) => `${JSON.stringify(text)}\n`).join(''))
    unwritten = []
  })
}

let isWatching = false

function watchConnections(): void {
  if (isWatching) return
  isWatching = true
  const connection = pg.Connection.prototype as unknown as Parsing
  const { parse } = connection
  connection.parse = function (message) {
    if (!seen.has(message.text)) {
      seen.add(message.text)
      unwritten.push(message.text)
    }
    return parse.call(this, message)
  }
}
