import { invalidRequest, missing } from './errors.ts'
import { type Form, list, nested, text, whole } from './form.ts'
import { type TableName, type Tables, tableOfId, type Tx } from './store.ts'

type Json = Record<string, unknown>

const MAX_LIMIT = 100
const DEFAULT_LIMIT = 10
const MAX_EXPANSION_DEPTH = 4

/** A copy of the object whose references in `expand[]` are replaced by their objects. */
export function render(tx: Tx, object: unknown, form: Form): unknown {
  const copy = structuredClone(object) as Json
  for (const path of list(form, 'expand')) {
    const steps = path.split('.')
    if (steps.length > MAX_EXPANSION_DEPTH) {
      throw invalidRequest('You cannot expand more than 4 levels of a property.', { param: 'expand' })
    }
    expand(tx, copy, steps, path)
  }
  return copy
}

function expand(tx: Tx, target: unknown, [step, ...rest]: string[], path: string): void {
  if (step === undefined || target === null || target === undefined) return
  if (Array.isArray(target)) {
    for (const each of target) expand(tx, each, [step, ...rest], path)
    return
  }
  const object = target as Json
  if (step === 'refunds' && object.object === 'charge') object.refunds ??= refundsOf(tx, String(object.id))
  if (!(step in object))
    throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' })
  const value = object[step]
  if (typeof value === 'string') {
    const table = tableOfId(value)
    const row = table && tx.find(table, value)
    if (row === undefined) {
      throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' })
    }
    object[step] = structuredClone(row.object)
  }
  if (rest.length > 0) expand(tx, object[step], rest, path)
}

function refundsOf(tx: Tx, charge: string): Json {
  const ids = tx.store.indexed('refund', 'charge', charge).toReversed()
  return {
    object: 'list',
    data: ids.slice(0, DEFAULT_LIMIT).map((id) => structuredClone(tx.get('refund', id).object)),
    has_more: ids.length > DEFAULT_LIMIT,
    total_count: ids.length,
    url: `/v1/charges/${charge}/refunds`,
  }
}

interface ListOptions<N extends TableName> {
  readonly url: string
  /** Members that the list can be filtered by. */
  readonly filters?: readonly string[]
  readonly accepts?: (object: Tables[N]) => boolean
  /** The ids to choose from, in order of creation. */
  readonly ids?: readonly string[]
}

interface Range {
  readonly gt: number
  readonly gte: number
  readonly lt: number
  readonly lte: number
}

/** One page, newest first. */
export function listPage<N extends TableName>(tx: Tx, name: N, form: Form, options: ListOptions<N>): unknown {
  const limit = whole(form, 'limit') ?? DEFAULT_LIMIT
  if (limit < 1 || limit > MAX_LIMIT) {
    throw invalidRequest(`Invalid integer: limit must be from 1 to ${MAX_LIMIT}`, {
      code: 'parameter_invalid_integer',
      param: 'limit',
    })
  }
  const range = readRange(form)
  const filters = readFilters(form, options.filters ?? [])
  const ids = options.ids ?? idsFor(tx, name, filters)
  const accepts = (object: Tables[N]): boolean =>
    inRange(object, range) &&
    filters.every(([member, value]) => (object as unknown as Json)[member] === value) &&
    (options.accepts?.(object) ?? true)

  const { start, step, end } = bounds(tx, name, form, ids)
  const data: Tables[N][] = []
  for (let at = start; at !== end && data.length <= limit; at += step) {
    const object = tx.get(name, ids[at] ?? '').object
    if (isBefore(object, range) && step < 0) break
    if (accepts(object)) data.push(object)
  }
  const page = data.slice(0, limit)
  if (step > 0) page.reverse()
  return { object: 'list', data: page, has_more: data.length > limit, url: options.url }
}

function readFilters(form: Form, names: readonly string[]): [string, string][] {
  return names.flatMap((name): [string, string][] => {
    const value = text(form, name)
    return value === undefined ? [] : [[name, value]]
  })
}

function idsFor(tx: Tx, name: TableName, filters: readonly (readonly [string, string])[]): readonly string[] {
  const indexed = filters.find(([member]) =>
    ['payment_intent', 'charge', 'source', 'customer'].includes(member),
  )
  if (
    indexed === undefined ||
    ((name === 'payment_intent' || name === 'charge') && indexed[0] === 'customer')
  ) {
    return tx.store.table(name).ids
  }
  return tx.store.indexed(name, indexed[0], indexed[1])
}

function bounds(tx: Tx, name: TableName, form: Form, ids: readonly string[]) {
  const after = text(form, 'starting_after')
  const before = text(form, 'ending_before')
  if (before !== undefined)
    return { start: positionOf(tx, name, ids, before, 'ending_before') + 1, step: 1, end: ids.length }
  const start = after === undefined ? ids.length - 1 : positionOf(tx, name, ids, after, 'starting_after') - 1
  return { start, step: -1, end: -1 }
}

function positionOf(tx: Tx, name: TableName, ids: readonly string[], id: string, param: string): number {
  const table = tx.store.table(name)
  const position = ids === table.ids ? table.positions.get(id) : ids.indexOf(id)
  if (position === undefined || position < 0) throw missing(name, id, param)
  return position
}

function readRange(form: Form): Range {
  if (typeof form.created === 'string') {
    const at = whole(form, 'created') ?? 0
    return { gt: -Infinity, gte: at, lt: Infinity, lte: at }
  }
  const created = nested(form, 'created') ?? {}
  return {
    gt: whole(created, 'gt') ?? -Infinity,
    gte: whole(created, 'gte') ?? -Infinity,
    lt: whole(created, 'lt') ?? Infinity,
    lte: whole(created, 'lte') ?? Infinity,
  }
}

function inRange({ created }: { created: number }, range: Range): boolean {
  return created > range.gt && created >= range.gte && created < range.lt && created <= range.lte
}

/** Objects are listed in order of creation, so no older one is in range either. */
function isBefore({ created }: { created: number }, range: Range): boolean {
  return created < range.gte || created <= range.gt
}
