import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Errors } from 'typebox/value'
import { ExactNumber } from '#kernel/json'
import { memberPath, nameOrPosition } from '#platform/http/validation/member-path'
import { EXACT_NUMBER, EXPECTED } from '#platform/http/validation/schemas'

export interface Problem {
  readonly kind: 'unknown' | 'missing' | 'invalid'
  readonly path: string
  /** The rest of a sentence that starts with the path: "must be a string". Never holds the value. */
  readonly what: string
}

interface SchemaKeywords {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | TSchema
  readonly items?: TSchema
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly anyOf?: readonly TSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly [EXPECTED]?: string
  readonly [EXACT_NUMBER]?: true
}

/**
 * Explains why a compiled schema refused a value. Members are checked in the order they were sent; missing
 * members come last, because a misspelt name is both unknown and missing.
 */
export function firstProblem(schema: TSchema, value: unknown, path = ''): Problem | undefined {
  if (fits(schema, value)) return undefined
  const keywords: SchemaKeywords = schema
  if (keywords.anyOf !== undefined) return problemOfUnion(schema, keywords.anyOf, value, path)
  if (keywords.type === 'object' && isObject(value)) {
    return problemOfObject(keywords, value, path) ?? problemOfLeaf(schema, value, path)
  }
  if (keywords.type === 'array' && Array.isArray(value)) {
    return problemOfArray(keywords, value, path) ?? problemOfLeaf(schema, value, path)
  }
  return problemOfLeaf(schema, value, path)
}

const validators = new WeakMap<TSchema, Validator>()

/** TypeBox's interpreted check of a body of thousands of elements took a second and blocked all other requests. */
function fits(schema: TSchema, value: unknown): boolean {
  let validator = validators.get(schema)
  if (validator === undefined) {
    validator = Compile(schema)
    validators.set(schema, validator)
  }
  return validator.Check(value)
}

function problemOfObject(
  schema: SchemaKeywords,
  value: Readonly<Record<string, unknown>>,
  path: string,
): Problem | undefined {
  const { properties = {}, maxProperties } = schema
  const members = Object.entries(value)
  if (maxProperties !== undefined && members.length > maxProperties) {
    return { kind: 'invalid', path, what: tooManyMembers(maxProperties) }
  }
  for (const [index, [name, member]] of members.entries()) {
    if (Object.hasOwn(properties, name)) {
      const problem = firstProblem(properties[name] ?? {}, member, memberPath(path, name))
      if (problem !== undefined) return problem
      continue
    }
    const unknownPath = memberPath(path, nameOrPosition(name, 'member', index + 1))
    if (schema.additionalProperties === false) {
      const what = `is not a known member${knownNames(Object.keys(properties))}`
      return { kind: 'unknown', path: unknownPath, what }
    }
    if (typeof schema.additionalProperties === 'object') {
      const problem = firstProblem(schema.additionalProperties, member, unknownPath)
      if (problem !== undefined) return problem
    }
  }
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name)) {
      return { kind: 'missing', path: memberPath(path, name), what: 'is missing' }
    }
  }
  return undefined
}

function problemOfArray(
  schema: SchemaKeywords,
  value: readonly unknown[],
  path: string,
): Problem | undefined {
  const { items, maxItems } = schema
  if (items === undefined) return undefined
  if (maxItems !== undefined && value.length > maxItems) {
    return { kind: 'invalid', path, what: tooManyElements(maxItems) }
  }
  for (const [index, element] of value.entries()) {
    const problem = firstProblem(items, element, `${path}[${index}]`)
    if (problem !== undefined) return problem
  }
  return undefined
}

function problemOfUnion(
  schema: TSchema,
  alternatives: readonly TSchema[],
  value: unknown,
  path: string,
): Problem {
  const alike = alternatives.filter((alternative) => isOfType(alternative, value))
  const [only] = alike
  if (alike.length === 1 && only !== undefined) {
    const problem = firstProblem(only, value, path)
    if (problem !== undefined) return problem
  }
  return { kind: 'invalid', path, what: `must be ${expectation(schema)}` }
}

function isOfType(schema: SchemaKeywords, value: unknown): boolean {
  if (schema.const !== undefined || schema.enum !== undefined) return false
  if (schema[EXACT_NUMBER] === true) return typeof value === 'number' || value instanceof ExactNumber
  switch (schema.type) {
    case 'object':
      return isObject(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
    case 'number':
      return typeof value === 'number'
    case undefined:
      return false
    default:
      return typeof value === schema.type
  }
}

function problemOfLeaf(schema: TSchema, value: unknown, path: string): Problem {
  const keywords: SchemaKeywords = schema
  if (value === '' && keywords.type === 'string' && keywords.enum === undefined) {
    return { kind: 'invalid', path, what: 'must not be empty' }
  }
  const right = `must be ${expectation(schema)}`
  if (!isOfType(keywords, value) || keywords[EXPECTED] !== undefined) {
    // A date that is too long is reported as an invalid date. A URL that is too long is reported as too long.
    const limit = isOfType(keywords, value) ? brokenLimit(schema, value) : undefined
    return { kind: 'invalid', path, what: limit ?? right }
  }
  return { kind: 'invalid', path, what: brokenLimit(schema, value) ?? right }
}

const LIMITS: Readonly<Record<string, (limit: number | bigint | string) => string>> = {
  maxLength: (limit) => `must have at most ${counted(limit, 'character')}`,
  minLength: (limit) => `must have at least ${counted(limit, 'character')}`,
  maximum: (limit) => `must be at most ${limit}`,
  minimum: (limit) => `must be at least ${limit}`,
  exclusiveMaximum: (limit) => `must be below ${limit}`,
  exclusiveMinimum: (limit) => `must be above ${limit}`,
  maxItems: tooManyElements,
  maxProperties: tooManyMembers,
  minItems: (limit) => `must have at least ${counted(limit, 'element')}`,
}

function brokenLimit(schema: TSchema, value: unknown): string | undefined {
  for (const error of Errors(schema, value)) {
    if (error.keyword === '~refine') return error.params.message
    if (error.keyword === 'uniqueItems') return 'must not have the same element twice'
    if ('limit' in error.params) return LIMITS[error.keyword]?.(error.params.limit)
  }
  return undefined
}

function tooManyElements(limit: number | bigint | string): string {
  return `must have at most ${counted(limit, 'element')}`
}

function tooManyMembers(limit: number | bigint | string): string {
  return `must have at most ${counted(limit, 'member')}`
}

function counted(count: number | bigint | string, noun: string): string {
  return `${count} ${noun}${Number(count) === 1 ? '' : 's'}`
}

export function expectation(schema: TSchema): string {
  const keywords: SchemaKeywords = schema
  if (keywords[EXPECTED] !== undefined) return keywords[EXPECTED]
  if (keywords[EXACT_NUMBER] === true) return 'a number'
  if (keywords.enum !== undefined) return oneOf(keywords.enum)
  if (keywords.const !== undefined) return JSON.stringify(keywords.const)
  if (keywords.anyOf !== undefined) {
    const words = keywords.anyOf.filter((alternative: SchemaKeywords) => alternative.const !== undefined)
    if (words.length === keywords.anyOf.length) return oneOf(words.map((word: SchemaKeywords) => word.const))
    return keywords.anyOf.map(expectation).join(' or ')
  }
  return typeof keywords.type === 'string' ? (TYPES[keywords.type] ?? 'of another form') : 'of another form'
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  array: 'an array',
  object: 'an object',
}

function oneOf(words: readonly unknown[]): string {
  const quoted = words.map((word) => JSON.stringify(word)).join(', ')
  return words.length === 1 ? quoted : `one of ${quoted}`
}

/** Most unknown members lack the resource object that should enclose them. This list shows its name. */
export function knownNames(names: readonly string[]): string {
  return names.length === 0 ? '' : `; known: ${names.join(', ')}`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  )
}
