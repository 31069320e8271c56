import sql, { type Sql } from 'sql-template-tag'
import type { TimeZone } from '#kernel/time-zone'
import { platformErrors } from '#platform/errors'
import { type FilterFields, filterToSql } from './filter-sql.ts'
import { type FilterNode, FilterProblem, parseFilter } from './filter.ts'

export function filterCondition(filter: string | undefined, fields: FilterFields, zone: TimeZone): Sql {
  if (filter === undefined) return sql`true`
  try {
    return filterToSql(parseFilter(filter), fields, zone)
  } catch (error) {
    if (!(error instanceof FilterProblem)) throw error
    throw platformErrors.invalid_filter({
      param: 'filter',
      message: `The filter is not valid: ${error.message}.`,
    })
  }
}

/**
 * Returns, for each of these fields, the text that every matching row has there or begins with. Only comparisons
 * that no `OR` or `NOT` weakens count. The filter must be valid.
 */
export function requiredBeginnings(
  filter: string,
  fields: readonly string[],
): { readonly field: string; readonly start: string; readonly isWhole: boolean }[] {
  return conjuncts(parseFilter(filter)).flatMap((node) => {
    if (node.kind !== 'comparison' || node.comparator !== '=' || !fields.includes(node.field)) return []
    const [start = ''] = node.pieces
    return start === '' ? [] : [{ field: node.field, start, isWhole: node.pieces.length === 1 }]
  })
}

function conjuncts(node: FilterNode): readonly FilterNode[] {
  return node.kind === 'and' ? node.nodes.flatMap(conjuncts) : [node]
}
