/** `node scripts/filter-parser.ts` generates src/platform/filter/filter-parser.js from filter.peggy. */
import { readFileSync, writeFileSync } from 'node:fs'
import peggy from 'peggy'

const FOLDER = new URL('../src/platform/filter/', import.meta.url)
export const PARSER_FILE = new URL('filter-parser.js', FOLDER)

export function generateFilterParser(): string {
  const grammar = readFileSync(new URL('filter.peggy', FOLDER), 'utf8')
  return peggy.generate(grammar, {
    grammarSource: 'filter.peggy',
    output: 'source',
    format: 'es',
    allowedStartRules: ['filter'],
  })
}

if (import.meta.main) writeFileSync(PARSER_FILE, generateFilterParser())
