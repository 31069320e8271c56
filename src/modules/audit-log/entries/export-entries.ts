import { type JsonObject, parseJson } from '#kernel/json'
import { quoted, withoutFormulas } from '#platform/http/routes/csv'
import type { Database } from '#platform/postgres/database'
import { type ChainLink, linksAfter } from '../storage/entry.repository.ts'

const PAGE = 500

const COLUMNS = [
  'sequence',
  'created_at',
  'actor_type',
  'actor_id',
  'action',
  'state',
  'object_type',
  'object_id',
  'request_id',
  'ip_address',
  'previous_hash',
  'hash',
  'document',
] as const

export async function* exportEntries(db: Database, chain: string): AsyncGenerator<string> {
  yield lineOf(COLUMNS)
  for (let last = 0n; ;) {
    const after = last
    const links = await db.transact(chain, (tx) => linksAfter(tx, after, PAGE), { isSnapshot: true })
    if (links.length > 0) yield links.map((link) => lineOf(fieldsOf(link))).join('')
    last = links.at(-1)?.sequence ?? last
    if (links.length < PAGE) return
  }
}

function fieldsOf({ sequence, previousHash, hash, document }: ChainLink): string[] {
  const members = parseJson(document) as JsonObject
  const actor = (members['actor'] ?? {}) as JsonObject
  const object = (members['object'] ?? {}) as JsonObject
  const texts = [
    members['created_at'],
    actor['type'],
    actor['id'],
    members['action'],
    members['state'],
    object['type'],
    object['id'],
    members['request_id'],
    members['ip_address'],
  ].map((value) => (typeof value === 'string' ? withoutFormulas(value) : ''))
  return [String(sequence), ...texts, previousHash, hash, document]
}

/** The document stays as it was hashed. */
function lineOf(fields: readonly string[]): string {
  return `${fields.map(quoted).join(',')}\r\n`
}
