import type { Sql } from 'sql-template-tag'
import type { TimeZone } from '#kernel/time-zone'
import { platformErrors } from '#platform/errors'
import { type FilterFields, filterToSql } from './filter-sql.ts'
import { FilterProblem, parseFilter } from './filter.ts'

export function filterCondition(filter: string, fields: FilterFields, zone: TimeZone): Sql {
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
