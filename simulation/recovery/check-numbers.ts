import type { ApiDocument } from '../system/checks/accounts.ts'
import type { Findings } from '../system/checks/check-accounts.ts'
import { seriesOf, sequenceOf } from '../system/checks/check-documents.ts'

/** Numbers that no document has, as a legal entity and `verify` list them. */
export interface NumberGap {
  readonly series: string
  readonly type: ApiDocument['type']
  readonly year?: number
  readonly from: number
  readonly to: number
}

/**
 * - `lost`: The documents when the database was lost.
 * - `returned`: The documents that were recovered.
 * - `issued`: The recovered ones and those that were issued since.
 */
export interface IssuedDocuments {
  readonly lost: readonly ApiDocument[]
  readonly returned: readonly ApiDocument[]
  readonly issued: readonly ApiDocument[]
}

/**
 * Checks that no number was given twice over the lost time and the new one, and that the gaps name exactly the
 * missing numbers.
 */
export function checkNumbers(documents: IssuedDocuments, gaps: readonly NumberGap[]): Findings {
  const { lost, issued } = documents
  const ofNumber = Map.groupBy([...lost, ...issued], ({ number }) => number)
  const twice = [...ofNumber].filter(([, same]) => new Set(same.map(({ id }) => id)).size > 1)
  return [
    ...twice.map(([number]) => `the number ${number} was given twice`),
    ...checkGaps(documents, gaps),
    ...(['invoice', 'credit_note'] as const).flatMap((type) => showsSomething(documents, type)),
  ]
}

function checkGaps({ lost, returned, issued }: IssuedDocuments, gaps: readonly NumberGap[]): Findings {
  const isNamed = (series: string, sequence: number): boolean =>
    gaps.some((gap) => nameOf(gap) === series && gap.from <= sequence && sequence <= gap.to)
  const isKept = new Set(returned.map(({ id }) => id))
  const unnamed = lost
    .filter((document) => !isKept.has(document.id) && !isNamed(seriesOf(document), sequenceOf(document)))
    .map(({ number }) => `${number} was lost and is in no gap`)
  const missing = [...Map.groupBy(issued, seriesOf)].flatMap(([series, ofSeries]) => {
    const sequences = ofSeries.map(sequenceOf).toSorted((a, b) => a - b)
    return sequences.flatMap((sequence, index) => {
      const before = sequences[index - 1]
      if (before === undefined || sequence === before + 1) return []
      const isGap = gaps.some(({ from, to, ...gap }) => {
        return nameOf(gap) === series && from === before + 1 && to === sequence - 1
      })
      return isGap ? [] : [`${series} goes from ${before} to ${sequence}, and no gap says so`]
    })
  })
  return [...unnamed, ...missing]
}

/** The name with which the numbers of the series begin (`SERIES`). */
function nameOf({ series, type, year }: Pick<NumberGap, 'series' | 'type' | 'year'>): string {
  return `${series.slice(0, 1).toUpperCase()}${type === 'credit_note' ? 'C' : ''}${year ?? ''}`
}

function showsSomething({ lost, returned, issued }: IssuedDocuments, type: ApiDocument['type']): Findings {
  const known = new Set(returned.map(({ id }) => id))
  const isNew = (document: ApiDocument): boolean => document.type === type && !known.has(document.id)
  const [before, after] = [lost.filter(isNew).length, issued.filter(isNew).length]
  if (before > 0 && after > 0 && returned.some((document) => document.type === type)) return []
  return [`${before} documents of type ${type} were lost and ${after} issued, so the test shows nothing`]
}
