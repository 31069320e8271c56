import { type CleanedWhere, createAdapterFactory } from 'better-auth/adapters'
import sql, { bulk, empty, join, raw, type Sql, type Value } from 'sql-template-tag'
import { isDate, toDate } from '../model/dates.ts'
import type { SharedStatements } from '#platform/postgres/database'

const TABLES: Readonly<Record<string, string>> = {
  user: 'users',
  session: 'user_sessions',
  account: 'user_accounts',
  verification: 'user_verifications',
  twoFactor: 'user_two_factors',
  passkey: 'user_passkeys',
}

type Fields = Readonly<Record<string, unknown>>

export function signInAdapter(shared: SharedStatements) {
  return createAdapterFactory({
    config: { adapterId: 'quittance', supportsJSON: false, supportsNumericIds: false, transaction: false },
    adapter: () => {
      const one = async <T>(statement: Sql): Promise<T | null> => {
        const [row] = await shared.query<Fields & object>(statement)
        return row === undefined ? null : (fieldsOf(row) as T)
      }
      const count = async (statement: Sql) => (await shared.query(statement)).length
      return {
        create: async ({ model, data }) => {
          const names = Object.keys(data)
          const row = await one<typeof data>(sql`
            insert into ${table(model)} (${join(names.map(column))})
            values ${bulk([names.map((name) => parameter((data as Fields)[name]))])} returning *`)
          if (row === null) throw new Error('an insert returned no row')
          return row
        },
        update: <T>({ model, where, update }: { model: string; where: CleanedWhere[]; update: T }) =>
          one<T>(sql`
            update ${table(model)} set ${assignments(update as Fields)}
             where id = (select id from ${table(model)} ${condition(where)} limit 1 for update) returning *`),
        updateMany: ({ model, where, update }) =>
          count(sql`update ${table(model)} set ${assignments(update)} ${condition(where)} returning id`),
        findOne: <T>({ model, where }: { model: string; where: CleanedWhere[] }) =>
          one<T>(sql`select * from ${table(model)} ${condition(where)} limit 1`),
        findMany: async <T>({
          model,
          where = [],
          limit,
          offset = 0,
          sortBy,
        }: {
          model: string
          where?: CleanedWhere[] | undefined
          limit: number
          offset?: number | undefined
          sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined
        }) => {
          const order =
            sortBy === undefined
              ? empty
              : sql`order by ${column(sortBy.field)} ${raw(sortBy.direction === 'desc' ? 'desc' : 'asc')}`
          const rows = await shared.query<Fields & object>(
            sql`select * from ${table(model)} ${condition(where)} ${order} limit ${limit} offset ${offset}`,
          )
          return rows.map((row) => fieldsOf(row) as T)
        },
        delete: async ({ model, where }) => {
          await shared.query(sql`delete from ${table(model)} ${condition(where)}`)
        },
        deleteMany: ({ model, where }) =>
          count(sql`delete from ${table(model)} ${condition(where)} returning id`),
        consumeOne: <T>({ model, where }: { model: string; where: CleanedWhere[] }) =>
          one<T>(sql`
            delete from ${table(model)}
             where id = (select id from ${table(model)} ${condition(where)} limit 1 for update) returning *`),
        incrementOne: <T>({
          model,
          where,
          increment,
          set = {},
        }: {
          model: string
          where: CleanedWhere[]
          increment: Record<string, number>
          set?: Record<string, unknown> | undefined
        }) => {
          const added = Object.entries(increment).map(
            ([name, by]) => sql`${column(name)} = coalesce(${column(name)}, 0) + ${by}`,
          )
          const changes = [...added, ...eachAssignment(set)]
          return one<T>(sql`
            update ${table(model)} set ${join(changes)}
             where id = (select id from ${table(model)} ${condition(where)} limit 1 for update) returning *`)
        },
        count: async ({ model, where = [] }) => {
          const [row] = await shared.query<{ rows: number }>(
            sql`select count(*)::integer as rows from ${table(model)} ${condition(where)}`,
          )
          return row?.rows ?? 0
        },
      }
    },
  })
}

function table(model: string): Sql {
  const name = TABLES[model]
  if (name === undefined) throw new Error(`no table for ${model}`)
  return raw(name)
}

const FIELD = /^[a-z][A-Za-z]*$/

function column(field: string): Sql {
  if (!FIELD.test(field)) throw new Error(`${field} is not a field`)
  return raw(field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
}

function fieldsOf(row: Fields): Fields {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      fieldValue(value),
    ]),
  )
}

function fieldValue(value: unknown): unknown {
  if (value instanceof Temporal.Instant) return toDate(value.epochMilliseconds)
  return typeof value === 'bigint' ? Number(value) : value
}

function parameter(value: unknown): Value {
  return isDate(value) ? value.toISOString() : value
}

function eachAssignment(fields: Fields): Sql[] {
  return Object.entries(fields).map(([name, value]) => sql`${column(name)} = ${parameter(value)}`)
}

function assignments(fields: Fields): Sql {
  return join(eachAssignment(fields))
}

function condition(where: readonly CleanedWhere[]): Sql {
  const all = where.filter(({ connector }) => connector !== 'OR').map(comparison)
  const any = where.filter(({ connector }) => connector === 'OR').map(comparison)
  if (any.length > 0) all.push(sql`(${join(any, ' or ')})`)
  return all.length === 0 ? empty : sql`where ${join(all, ' and ')}`
}

const SYMBOLS: Readonly<Record<string, Sql>> = {
  eq: raw('='),
  ne: raw('<>'),
  lt: raw('<'),
  lte: raw('<='),
  gt: raw('>'),
  gte: raw('>='),
}

function comparison({ field, operator, value, mode }: CleanedWhere): Sql {
  const name = column(field)
  if (value === null && operator === 'eq') return sql`${name} is null`
  if (value === null && operator === 'ne') return sql`${name} is not null`
  if (operator === 'in') return sql`${name} = any(${parameter(value)})`
  const symbol = SYMBOLS[operator ?? 'eq']
  if (symbol === undefined || mode === 'insensitive') throw new Error(`no comparison ${operator} of ${field}`)
  return sql`${name} ${symbol} ${parameter(value)}`
}
