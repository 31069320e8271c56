import { join } from 'sql-template-tag'
import type { PersonalData, Subject } from '#platform/personal-data/personal-data'

export function subjectOf(
  data: readonly PersonalData[],
  businessId: string,
  customer: {
    readonly uuid: string
    readonly referenceNumber: string | null
    readonly texts: readonly string[]
  },
): Subject {
  const { uuid, referenceNumber, texts } = customer
  const erasedName = `erased-${uuid}`
  const names = [...new Set([uuid, referenceNumber ?? erasedName, erasedName])]
  const selects = data.flatMap(({ objects }) =>
    objects === undefined ? [] : [objects(businessId, { uuid, names })],
  )
  return { uuid, names, erasedName, texts, objects: join(selects, ' union all ') }
}
