import { type FilterComparison, type FilterNode, parseFilter } from '#platform/filter/filter'
import type { Subject } from './personal-data.ts'

const REFERENCES = new Set(['p_user_id', 'customer.reference_number'])
const OBJECT_ID = /[a-z]{2,5}_[0-9a-hjkmnp-tv-z]{26}/g

export function idsIn(text: string): string[] {
  return text.match(OBJECT_ID) ?? []
}

export function asksForCustomer(list: string, filter: string, { names, texts }: Subject): boolean {
  const known = new Set([...names, ...texts].map(folded))
  return comparisonsOf(filter).some(({ field, pieces }) => {
    const value = folded(pieces.join(''))
    if (REFERENCES.has(field) || (list === 'customers' && field === 'reference_number'))
      return names.some((name) => folded(name) === value)
    return list === 'customers' && known.has(value)
  })
}

function comparisonsOf(filter: string): FilterComparison[] {
  try {
    return flattened(parseFilter(filter))
  } catch {
    return []
  }
}

function flattened(node: FilterNode): FilterComparison[] {
  if (node.kind === 'comparison') return [node]
  if (node.kind === 'presence') return []
  return node.kind === 'not' ? flattened(node.node) : node.nodes.flatMap(flattened)
}

function folded(text: string): string {
  const digits = text.replaceAll(/[\s()+/.-]/g, '')
  return /^\d+$/.test(digits) ? digits : text.trim().toLowerCase()
}
