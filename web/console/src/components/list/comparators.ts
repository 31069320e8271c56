import type { Comparator } from '#components/list/filter-language.ts'

/** The texts are `comparator.<name>`, of times `comparator.time_<name>`. */
export const COMPARATOR_NAMES = {
  '=': 'equal',
  '!=': 'not_equal',
  ':': 'contains',
  '>': 'above',
  '>=': 'from',
  '<': 'below',
  '<=': 'to',
} as const satisfies Record<Comparator, string>
