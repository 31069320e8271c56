/**
 * Makes wrong bodies from the schemas of openapi.json: for every member of a body, one body for each kind of mistake. The
 * rest of each body has the right form, but names objects that do not exist.
 */

export interface JsonSchema {
  readonly type?: string
  readonly properties?: Record<string, JsonSchema>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly examples?: readonly unknown[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly format?: string
  readonly pattern?: string
}

export interface Mutation {
  readonly name: string
  /** The expected `param` of the error. */
  readonly member: string
  readonly body: unknown
}

/** A body of the right form with every member. */
export function exampleOf(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.examples !== undefined) return schema.examples[0]
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return exampleOf(withoutNull(schema))
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([member, property]) => [member, exampleOf(property)]),
      )
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(schema.items)]
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return true
    case 'null':
      return null
    case undefined:
    default:
      return exampleText(schema)
  }
}

const BY_FORMAT: Record<string, string> = {
  date: '2031-01-31',
  'date-time': '2031-01-31T09:30:00Z',
  uri: 'https://example.com/',
}
/** Examples for the patterns in use. A pattern that none of them matches fails the test. */
const BY_PATTERN = [
  '1',
  '12',
  '123',
  '2031',
  '4242424242424242',
  'HKD',
  'HK',
  '5411',
  'P1D',
  '1.00',
  'x',
  '2031-01-31',
  '09:30',
  '01-01',
  '#1d4f8f',
  'help@shop.example',
]

function exampleText(schema: JsonSchema): string {
  const byFormat = schema.format === undefined ? undefined : BY_FORMAT[schema.format]
  if (byFormat !== undefined) return byFormat
  if (schema.pattern !== undefined) {
    const pattern = new RegExp(schema.pattern, 'u')
    const matching = BY_PATTERN.find((text) => pattern.test(text))
    if (matching === undefined) throw new Error(`no example matches the pattern ${schema.pattern}`)
    return matching
  }
  return 'x'.repeat(Math.max(schema.minLength ?? 1, 1))
}

export function mutationsOf(schema: JsonSchema): Mutation[] {
  const whole = exampleOf(schema)
  const mutations: Mutation[] = []
  walk(schema, [], (path, member) => {
    const name = pathName(path)
    const replace = (value: unknown) => replaced(whole, path, value)
    for (const [kind, value] of wrongValues(member))
      mutations.push({ name: `${name}: ${kind}`, member: name, body: replace(value) })
    if (member.type === 'object') {
      mutations.push({
        name: `${name}: unknown member`,
        member: pathName([...path, 'no_such_member']),
        body: replaced(whole, [...path, 'no_such_member'], 1),
      })
    }
    for (const required of member.required ?? []) {
      mutations.push({
        name: `${pathName([...path, required])}: missing`,
        member: pathName([...path, required]),
        body: without(whole, [...path, required]),
      })
    }
  })
  return mutations
}

/** Visits the body and every member in it. */
function walk(
  schema: JsonSchema,
  path: readonly (string | number)[],
  visit: (path: readonly (string | number)[], member: JsonSchema) => void,
): void {
  const member = schema.anyOf === undefined ? schema : withoutNull(schema)
  visit(path, schema.anyOf === undefined ? member : { ...member, anyOf: schema.anyOf })
  for (const [name, property] of Object.entries(member.properties ?? {}))
    walk(property, [...path, name], visit)
  if (member.items !== undefined) walk(member.items, [...path, 0], visit)
}

function wrongValues(member: JsonSchema): [string, unknown][] {
  const nullable = member.anyOf?.some((branch) => branch.type === 'null') ?? false
  const wrong: [string, unknown][] = nullable ? [] : [['null', null]]
  if (member.type !== 'boolean') wrong.push(['a boolean', true])
  if (member.type !== 'array') wrong.push(['an array', []])
  const allowsObject = member.anyOf?.some((branch) => branch.type === 'object') ?? false
  if (member.type !== 'object' && !allowsObject) wrong.push(['an object', {}])
  if (member.type !== 'integer' && member.type !== 'number') wrong.push(['a number', 1.5])
  if (member.type === 'integer') wrong.push(['a fraction', 1.5])
  if (member.type !== 'string' && member.enum === undefined) wrong.push(['a string', 'wrong'])
  if (member.type === 'string') {
    wrong.push(['a NUL', 'a\u0000b'])
    if (member.enum !== undefined) wrong.push(['not one of the words', 'no such word'])
    if ((member.minLength ?? 0) > 0) wrong.push(['empty', ''])
    wrong.push(['too long', 'x'.repeat((member.maxLength ?? 200_000) + 1)])
  }
  return wrong
}

function withoutNull(schema: JsonSchema): JsonSchema {
  const branch = schema.anyOf?.find((candidate) => candidate.type !== 'null')
  if (branch === undefined) throw new Error('a union has no member but null')
  return branch
}

function pathName(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (name, part) => (typeof part === 'number' ? `${name}[${part}]` : name === '' ? part : `${name}.${part}`),
    '',
  )
}

function replaced(value: unknown, path: readonly (string | number)[], by: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return by
  if (Array.isArray(value))
    return value.map((element, index) => (index === first ? replaced(element, rest, by) : element))
  const members = value as Record<string, unknown>
  return { ...members, [first]: replaced(members[first], rest, by) }
}

function without(value: unknown, path: readonly (string | number)[]): unknown {
  const [first, ...rest] = path
  if (Array.isArray(value))
    return value.map((element, index) => (index === first ? without(element, rest) : element))
  const members = { ...(value as Record<string, unknown>) }
  if (rest.length === 0) delete members[String(first)]
  else members[String(first)] = without(members[String(first)], rest)
  return members
}
