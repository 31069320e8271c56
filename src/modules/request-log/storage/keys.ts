import type { FilterNode } from '#platform/filter/filter'

export type LookUp =
  | { readonly kind: 'request'; readonly requestId: string }
  | { readonly kind: 'key'; readonly key: string }

export const requestKey = (requestId: string) => `r:${requestId}`
export const idempotencyKey = (key: string) => `i:${key}`
export const objectKey = (objectId: string) => `o:${objectId}`

const LOOK_UPS: Readonly<Record<string, (value: string) => LookUp>> = {
  request_id: (requestId) => ({ kind: 'request', requestId }),
  idempotency_key: (value) => ({ kind: 'key', key: idempotencyKey(value) }),
  object_id: (value) => ({ kind: 'key', key: objectKey(value) }),
}

export function lookUpOf(filter: FilterNode): LookUp | undefined {
  if (filter.kind === 'and') return filter.nodes.map(lookUpOf).find((lookUp) => lookUp !== undefined)
  if (filter.kind !== 'comparison' || (filter.comparator !== '=' && filter.comparator !== ':'))
    return undefined
  return LOOK_UPS[filter.field]?.(filter.value)
}
