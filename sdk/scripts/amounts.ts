import { type Description, operationsOf, type Schema, schemaOf } from './describe.ts'

/** Where numbers are: true for an exact amount, false for another number. `*` is any member that has no name in the schema. */
type Numbers = boolean | { [member: string]: Numbers }

interface AmountTables {
  readonly requests: Record<string, Numbers>
  readonly responses: Numbers
}

/** Finds the amounts that are JSON numbers: those of the format `decimal`. */
export function amountTables(description: Description): AmountTables {
  const numbersOf = (schema: Schema): Numbers | undefined => numbersIn(schema, description)
  const requests: Record<string, Numbers> = {}
  const responses: (Numbers | undefined)[] = []
  for (const operation of operationsOf(description)) {
    const amounts = onlyAmounts(numbersOf(schemaOf(operation.requestBody)))
    if (amounts !== undefined) requests[`${operation.method} ${operation.path}`] = amounts
    for (const response of Object.values(operation.responses)) {
      responses.push(numbersOf(schemaOf(response).properties?.['data'] ?? {}))
      responses.push(numbersOf(failureData(schemaOf(response), description)))
    }
  }
  for (const { post } of Object.values(description.webhooks)) {
    responses.push(numbersOf(schemaOf(post?.requestBody).properties?.['data'] ?? {}))
  }
  return { requests, responses: onlyAmounts(responses.reduce(merged, undefined)) ?? {} }
}

function failureData(schema: Schema, description: Description): Schema {
  return schema.$ref === undefined ? {} : (resolved(schema, description).properties?.['data'] ?? {})
}

function numbersIn(schema: Schema, description: Description): Numbers | undefined {
  const { type, format, properties, patternProperties, items, anyOf } = resolved(schema, description)
  if (anyOf !== undefined) return anyOf.map((one) => numbersIn(one, description)).reduce(merged, undefined)
  if (items !== undefined) return numbersIn(items, description)
  if (type === 'number' || type === 'integer') return format === 'decimal'
  const others = Object.values(patternProperties ?? {}).map((member) => ['*', member] as const)
  const members = [...Object.entries(properties ?? {}), ...others].flatMap(([name, member]) => {
    const numbers = numbersIn(member, description)
    return numbers === undefined ? [] : [[name, numbers] as const]
  })
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

function resolved(schema: Schema, { components }: Description): Schema {
  if (schema.$ref === undefined) return schema
  const found = components.schemas[schema.$ref.replace('#/components/schemas/', '')]
  if (found === undefined) throw new Error(`${schema.$ref} is missing`)
  return found
}

/** One table serves all responses, so a member must not be an amount in one and another number in another. */
function merged(one: Numbers | undefined, other: Numbers | undefined): Numbers | undefined {
  if (one === undefined || other === undefined || one === other) return one ?? other
  if (typeof one === 'boolean' || typeof other === 'boolean') {
    throw new Error('a member is an amount in one response and something else in another')
  }
  const both = { ...one }
  for (const [member, numbers] of Object.entries(other)) {
    const joined = merged(both[member], numbers)
    if (joined !== undefined) both[member] = joined
  }
  return both
}

function onlyAmounts(numbers: Numbers | undefined): Numbers | undefined {
  if (numbers === undefined || numbers === false) return undefined
  if (numbers === true) return true
  const members = Object.entries(numbers).flatMap(([member, below]) => {
    const kept = onlyAmounts(below)
    return kept === undefined ? [] : [[member, kept] as const]
  })
  return members.length === 0 ? undefined : Object.fromEntries(members)
}
