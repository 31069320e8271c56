import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { TObject, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { RequestError } from '#kernel/errors'
import { type Json, parseCountingMembers } from '#kernel/json'
import { platformErrors } from '#platform/errors'
import type { Route } from '#platform/http/routes/route'
import { whereJsonFails } from '#platform/http/validation/json-error'
import { findDuplicateMember, sizeOfJson } from '#platform/http/validation/json-text'
import { nameOrPosition } from '#platform/http/validation/member-path'
import { expectation, firstProblem, knownNames, type Problem } from '#platform/http/validation/schema-problem'
import { strictObject } from '#platform/http/validation/schemas'
import { firstUnstorable, isStorable, UNSTORABLE } from '#platform/http/validation/strings'

export interface RouteValidation {
  readonly query: (query: Readonly<Record<string, unknown>>) => unknown
  readonly params: (params: Readonly<Record<string, string>>) => unknown
  readonly body: (rawBody: Buffer | undefined) => unknown
  readonly headers: (headers: IncomingHttpHeaders) => void
}

/** The bound of reference/conventions#statuses. */
export const MAX_BODY_BYTES = 1024 * 1024

const EMPTY_OBJECT = strictObject({})

export function compileValidation(route: Route): RouteValidation {
  return {
    query: compileQuery(route.query ?? EMPTY_OBJECT),
    params: compileParams(route),
    body: compileBody(route.body ?? EMPTY_OBJECT),
    headers: compileHeaders(route.headers),
  }
}

export function compileBody(schema: TObject): RouteValidation['body'] {
  const validator = Compile(schema)
  const required: readonly string[] = schema.required ?? []
  const [first] = required
  return (rawBody) => {
    if (rawBody === undefined || rawBody.length === 0) {
      if (first === undefined) return {}
      throw platformErrors.missing_member({
        param: first,
        message: `${first} is missing: the body is empty.`,
      })
    }
    const { excess, members } = sizeOfJson(rawBody)
    if (!isUtf8(rawBody) || excess === 'depth') throw platformErrors.malformed_json()
    if (excess === 'values') throw platformErrors.payload_too_large()
    if (excess === 'object') {
      throw platformErrors.payload_too_large({
        message: 'The body has an object of more than 1,000 members.',
      })
    }
    const text = rawBody.toString('utf8')
    const body = parse(text, members)
    if (!validator.Check(body)) throw errorOfBody(validator, schema, body)
    // NUL and half surrogates must be escaped in JSON, so most bodies need no check.
    if (text.includes('\\u')) {
      const path = firstUnstorable(body)
      if (path !== undefined) throw bodyError({ kind: 'invalid', path, what: UNSTORABLE })
    }
    return body
  }
}

function parse(text: string, members: number): Json {
  const parsed = parseOrThrow(text)
  if (parsed.members === members) return parsed.value
  const param = findDuplicateMember(text)
  throw platformErrors.duplicate_member({
    ...(param !== undefined && { param }),
    message: `${param} is sent more than once in its object; send each member once.`,
  })
}

function parseOrThrow(text: string): ReturnType<typeof parseCountingMembers> {
  try {
    return parseCountingMembers(text)
  } catch (error) {
    // The parser's message quotes the text, so it is neither sent nor logged.
    if (error instanceof SyntaxError || error instanceof RangeError) throw malformed(text)
    throw error
  }
}

function malformed(text: string): RequestError {
  const where = whereJsonFails(text)
  return platformErrors.malformed_json(
    where === undefined ? {} : { message: `The body is not valid JSON: ${where}.` },
  )
}

function errorOfBody(validator: Validator, schema: TSchema, body: unknown): RequestError {
  const problem = firstProblem(schema, body)
  if (problem !== undefined) return bodyError(problem)
  // The compiled and the interpreted check disagree.
  const [error] = validator.Errors(body)
  return platformErrors.body_invalid({ message: `The body ${error?.message ?? 'is not valid'}.` })
}

function bodyError(problem: Problem): RequestError {
  if (problem.path === '') return platformErrors.body_invalid()
  const detail = { param: problem.path, message: `${problem.path} ${problem.what}.` }
  if (problem.kind === 'unknown') return platformErrors.unknown_member(detail)
  if (problem.kind === 'missing') return platformErrors.missing_member(detail)
  return platformErrors.invalid_member(detail)
}

function compileParams(route: Route): RouteValidation['params'] {
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  const properties = Object.keys(route.params?.properties ?? {})
  if (names.toSorted().join() !== properties.toSorted().join()) {
    throw new Error(`${route.method} ${route.path}: the schema of params does not name its parameters`)
  }
  const schema = route.params
  if (schema === undefined) return (params) => params
  const validator = Compile(schema)
  return (params) => {
    for (const name of names) {
      if (!isStorable(params[name] ?? '')) {
        throw platformErrors.invalid_path({ param: name, message: `${name} ${UNSTORABLE}.` })
      }
    }
    if (validator.Check(params)) return params
    const problem = firstProblem(schema, params)
    throw platformErrors.invalid_path({
      param: problem?.path ?? '',
      message: `${problem?.path} ${problem?.what}.`,
    })
  }
}

function compileHeaders(schema: TObject | undefined): RouteValidation['headers'] {
  if (schema === undefined) return () => {}
  const required: readonly string[] = schema.required ?? []
  return (headers) => {
    for (const name of required) {
      const value = headers[name.toLowerCase()]
      if (value === undefined || value === '') {
        throw platformErrors.missing_header({ param: name, message: `The header ${name} is missing.` })
      }
    }
  }
}

type ReadValue = (text: string) => unknown

/** Reads the values of a query by their schemas. A repeated name is refused, because the intended value is unknown. */
export function compileQuery(schema: TObject): RouteValidation['query'] {
  const validator = Compile(schema)
  const readers = new Map<string, ReadValue>(
    Object.entries(schema.properties).map(([name, property]) => [name, readerOf(property)]),
  )
  return (query) => {
    const parsed: Record<string, unknown> = {}
    for (const [index, name] of Object.keys(query).entries()) {
      const reader = readers.get(name)
      const text = query[name]
      if (reader === undefined) throw unknownQueryName(name, index + 1, [...readers.keys()])
      if (typeof text !== 'string') throw invalidQueryValue(name, 'must be sent once')
      if (!isStorable(text)) throw invalidQueryValue(name, UNSTORABLE)
      parsed[name] = reader(text)
    }
    if (validator.Check(parsed)) return parsed
    throw errorOfQuery(schema, parsed)
  }
}

function readerOf(schema: TSchema & { type?: unknown }): ReadValue {
  if (schema.type === 'boolean') return (text) => (text === 'true' ? true : text === 'false' ? false : text)
  if (schema.type === 'integer') return (text) => (/^-?\d+$/.test(text) ? nearestSafeInteger(text) : text)
  if (schema.type === 'number') {
    throw new Error('a query takes whole numbers, true and false, and strings')
  }
  return (text) => text
}

/** This keeps a `limit` of 20 digits above every bound. */
function nearestSafeInteger(text: string): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(text)))
}

function errorOfQuery(schema: TObject, parsed: unknown): RequestError {
  const problem = firstProblem(schema, parsed)
  const name = problem?.path ?? ''
  if (problem?.kind === 'missing') {
    return platformErrors.missing_query_name({ param: name, message: `${name} is missing in the query.` })
  }
  return invalidQueryValue(name, problem?.what ?? `must be ${expectation(schema)}`)
}

function unknownQueryName(name: string, position: number, names: readonly string[]): RequestError {
  const param = nameOrPosition(name, 'query parameter', position)
  return platformErrors.unknown_query_name({
    param,
    message: `${param} is not a known query parameter${knownNames(names)}.`,
  })
}

function invalidQueryValue(name: string, what: string): RequestError {
  return platformErrors.invalid_query_value({ param: name, message: `${name} ${what}.` })
}
