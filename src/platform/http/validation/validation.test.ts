import fc from 'fast-check'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { parseJson } from '#kernel/json'
import { firstProblem } from '#platform/http/validation/schema-problem'
import {
  Amount,
  DateOnly,
  DecimalString,
  HttpUrl,
  Nullable,
  strictObject,
  Text,
  Timestamp,
} from '#platform/http/validation/schemas'
import { echoOrder, startTestServer } from '#platform/testing/test-server'
import { compileValidation } from '#platform/http/validation/validation'

const ORDERS = '/api/v1/openapi/orders'
const validation = compileValidation(echoOrder)

const KNOWN = 'known: currency, total, due_date, notify_url, kind, paid, line_items'

/** The reason and message of the error, or 'fine'. */
function errorOf(body: string): string {
  try {
    validation.body(Buffer.from(body))
    return 'fine'
  } catch (error) {
    const { reason, message, detail } = error as {
      reason: string
      message: string
      detail: { param?: string }
    }
    expect(message.startsWith(detail.param ?? 'The body')).toBe(true)
    return `${reason}: ${message}`
  }
}

// Proves reference/conventions#unknown-members.
test.each([
  ['{"order":{"currency":7}}', 'invalid_member: order.currency must be a string.'],
  ['{"order":{"currency":null}}', 'invalid_member: order.currency must be a string.'],
  ['{"order":{"currency":""}}', 'invalid_member: order.currency must not be empty.'],
  ['{"order":{"currency":"HKDX"}}', 'invalid_member: order.currency must have at most 3 characters.'],
  ['{"order":{}}', 'missing_member: order.currency is missing.'],
  ['{"order":1.5}', 'invalid_member: order must be an object.'],
  ['{"order":[]}', 'invalid_member: order must be an object.'],
  ['{"order":{"curency":"HKD"}}', `unknown_member: order.curency is not a known member; ${KNOWN}.`],
  [
    '{"order":{"currency":"HKD","__proto__":{}}}',
    `unknown_member: order.__proto__ is not a known member; ${KNOWN}.`,
  ],
  [
    '{"order":{"currency":"HKD","constructor":1}}',
    `unknown_member: order.constructor is not a known member; ${KNOWN}.`,
  ],
  ['{"order":{"currency":"HKD"},"x":1}', 'unknown_member: x is not a known member; known: order.'],
  ['{"currency":"HKD"}', 'unknown_member: currency is not a known member; known: order.'],
  ['{"order":{"currency":"HKD","total":"1"}}', 'invalid_member: order.total must be a number.'],
  ['{"order":{"currency":"HKD","paid":"true"}}', 'invalid_member: order.paid must be true or false.'],
  [
    '{"order":{"currency":"HKD","kind":"x"}}',
    'invalid_member: order.kind must be one of "one_off", "recurring".',
  ],
  [
    '{"order":{"currency":"HKD","due_date":"2025-02-30"}}',
    'invalid_member: order.due_date must be a date as YYYY-MM-DD.',
  ],
  [
    '{"order":{"currency":"HKD","due_date":7}}',
    'invalid_member: order.due_date must be a date as YYYY-MM-DD or null.',
  ],
  [
    '{"order":{"currency":"HKD","notify_url":"ftp://x"}}',
    'invalid_member: order.notify_url must be an http or https URL.',
  ],
  ['{"order":{"currency":"HKD","line_items":{}}}', 'invalid_member: order.line_items must be an array.'],
  [
    '{"order":{"currency":"HKD","line_items":[{"label":"a","price":1,"quantity":1},{"label":"b","price":"x","quantity":1}]}}',
    'invalid_member: order.line_items[1].price must be a number.',
  ],
  [
    '{"order":{"currency":"HKD","line_items":[{"label":"a","price":1,"quantity":1.5}]}}',
    'invalid_member: order.line_items[0].quantity must be a whole number.',
  ],
  [
    '{"order":{"currency":"HKD","line_items":[{"label":"a","price":1,"quantity":0}]}}',
    'invalid_member: order.line_items[0].quantity must be at least 1.',
  ],
  [
    '{"order":{"currency":"HKD","line_items":[{"price":1,"quantity":1}]}}',
    'missing_member: order.line_items[0].label is missing.',
  ],
  [
    '{"order":{"currency":"A\\u0000"}}',
    'invalid_member: order.currency must not hold NUL or half of a surrogate pair.',
  ],
  [
    '{"order":{"currency":"\\ud83d"}}',
    'invalid_member: order.currency must not hold NUL or half of a surrogate pair.',
  ],
])('the body %s is refused as %s', (body, refusal) => {
  expect(errorOf(body)).toBe(refusal)
})

test.each([
  ['{"order":{"currency":"HKD","currency":"USD"}}', 'order.currency'],
  ['{"order":{"currency":"HKD"},"order":{"currency":"USD"}}', 'order'],
  ['{"order":{"currency":"HKD"},"order":1}', 'order'],
  [String.raw`{"order":{"currency":"HKD","c\u0075rrency":"USD"}}`, 'order.currency'],
  [
    '{"order":{"currency":"HKD","line_items":[{"label":"a","price":1,"quantity":1},{"price":1,"label":"b","price":2,"quantity":1}]}}',
    'order.line_items[1].price',
  ],
  ['{"order":{"__proto__":1,"currency":"HKD","__proto__":2}}', 'order.__proto__'],
  ['{ "order" : { "currency" : "HKD" , "currency" : "HKD" } }', 'order.currency'],
  ['{"order":{"currency":"HKD","a":"\\\",{:","a":[]}}', 'order.a'],
  ['{"x":{},"x":{}}', 'x'],
  ['{"":1,"":2}', '<member 2>'],
])('the body %s is refused because %s is sent twice', (body, member) => {
  expect(errorOf(body)).toBe(
    `duplicate_member: ${member} is sent more than once in its object; send each member once.`,
  )
})

// Proves reference/conventions#duplicate-members.
test('a body is refused if and only if an object in it repeats a name, at any depth', () => {
  const { body } = compileValidation({ ...echoOrder, body: Type.Object({}) })
  const name = fc.constantFrom('a', 'b', String.raw`\u0061`, '__proto__', ':', '{', String.raw`\"`, '1', '')
  const { json } = fc.letrec<{ json: string }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('1', '"a:b"', '{}', '[]', 'null', '1.50', String.raw`"\\"`),
      fc.array(tie('json'), { maxLength: 3 }).map((values) => `[${values.join()}]`),
      fc
        .array(fc.tuple(name, tie('json')), { maxLength: 3 })
        .map((members) => `{${members.map(([key, value]) => `"${key}":${value}`).join()}}`),
    ),
  }))
  fc.assert(
    fc.property(json, (text) => {
      const whole = `{"whole":${text}}`
      const refused = (() => {
        try {
          body(Buffer.from(whole))
          return false
        } catch (error) {
          expect(error).toMatchObject({ reason: 'duplicate_member', code: 40_016 })
          return true
        }
      })()
      expect(refused).toBe(repeatsAName(whole))
    }),
    { numRuns: 1_000 },
  )
})

/** Checks one object after the other, from the innermost outwards, with a regular expression. */
function repeatsAName(json: string): boolean {
  const string = /"(?:[^"\\]|\\.)*"/g
  // Each string becomes a number, so that no string holds an escape or a bracket.
  const texts: string[] = []
  let rest = json.replace(string, (text) => {
    const value = JSON.parse(text) as string
    if (!texts.includes(value)) texts.push(value)
    return `<${texts.indexOf(value)}>`
  })
  for (;;) {
    const innermost = /[{[][^{}[\]]*[}\]]/.exec(rest)?.[0]
    if (innermost === undefined) return false
    const names = [...innermost.matchAll(/<\d+>(?=:)/g)].map(([name]) => name)
    if (new Set(names).size !== names.length) return true
    rest = rest.replace(innermost, '0')
  }
}

test.each([
  ['a card number', '4242424242424242'],
  ['a card number in groups', '4242 4242-4242 4242'],
  ['a card number in a longer name', 'card_4242424242424242_x'],
  ['an API key', 'qk_test_abcdefghijklmnop'],
  ['a key of an acquirer', 'sk_test_abcdefghijklmnop'],
  ['a webhook secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ['a name of 65 characters', 'x'.repeat(65)],
])('%s used as a member name is not repeated: the error names its position', async (_kind, name) => {
  const server = await startTestServer()
  const bodies = {
    'order.<member 3>': { order: { currency: 'HKD', paid: true, [name]: 1 } },
    '<member 1>': { [name]: 1 },
  }
  for (const [param, body] of Object.entries(bodies)) {
    const response = await server.send('POST', ORDERS, { body: JSON.stringify(body) })
    expect(response.body.data.error).toMatchObject({ reason: 'unknown_member', param })
    expect(response.text).not.toContain(name)
  }
  const twice = `{"order":{"currency":"HKD","${name}":1,"${name}":2}}`
  const duplicate = await server.send('POST', ORDERS, { body: twice })
  expect(duplicate.body.data.error).toMatchObject({ reason: 'duplicate_member', param: 'order.<member 3>' })
  const query = `with_payment_link=true&${encodeURIComponent(name)}=1`
  const queried = await server.send('POST', `${ORDERS}?${query}`, { body: '{"order":{"currency":"HKD"}}' })
  expect(queried.body.data.error).toMatchObject({
    reason: 'unknown_query_name',
    param: '<query parameter 2>',
  })
  const everything = [duplicate.text, queried.text, ...server.logged].join('\n')
  expect(everything).not.toContain(name)
})

test('an error repeats a name of 64 characters that is not a secret', () => {
  const name = 'x'.repeat(64)
  expect(errorOf(`{"${name}":1}`)).toContain(`unknown_member: ${name} `)
})

test('too many elements of an array are refused', () => {
  const item = '{"label":"a","price":1,"quantity":1}'
  expect(errorOf(`{"order":{"currency":"HKD","line_items":[${[item, item, item, item].join()}]}}`)).toBe(
    'invalid_member: order.line_items must have at most 3 elements.',
  )
  // The elements are not checked, because there may be many.
  expect(errorOf('{"order":{"currency":"HKD","line_items":[1,1,1,1]}}')).toBe(
    'invalid_member: order.line_items must have at most 3 elements.',
  )
})

test('a body that exceeds a limit by thousands of elements is refused quickly, because checking blocks all other requests', () => {
  const item = '{"label":"a","price":1,"quantity":1}'
  const body = `{"order":{"currency":"HKD","line_items":[${Array(9_000).fill(item).join()}]}}`
  const tookMs = [1, 2, 3].map(() => {
    const before = process.threadCpuUsage()
    expect(errorOf(body)).toContain('at most 3 elements')
    return process.threadCpuUsage(before).user / 1_000
  })
  // Of the processor's time: about 30 ms, and 400 ms with TypeBox's interpreted check.
  expect(Math.min(...tookMs)).toBeLessThan(250)
})

test('a body of more than 40,000 values is refused before parsing', () => {
  const order = (values: string) => `{"order":{"currency":"HKD","line_items":[${values}]}}`
  for (const value of ['1', '{}', '[]', '{"a":0.5}']) {
    expect(errorOf(order(Array(40_000).fill(value).join()))).toBe(
      'payload_too_large: The body is too large. It may have at most 1 MiB and 40,000 values, or 16 kB for the form of a page.',
    )
  }
  expect(errorOf(order(Array(39_000).fill(1).join()))).toContain('at most 3 elements')
  expect(errorOf(`{"order":{"currency":"${',[{'.repeat(40_000)}"}}`)).toContain('at most 3 characters')
})

test('an object of more than 1,000 members is refused before parsing, wherever it is', () => {
  const object = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"m${index}":[{}]`).join()}}`
  expect(errorOf(`{"order":[{},${object(1_001)}]}`)).toBe(
    'payload_too_large: The body has an object of more than 1,000 members.',
  )
  expect(errorOf(`{"order":${object(1_000)}}`)).toContain('unknown_member: order.m0')
  expect(errorOf(`{"order":[${Array(9_000).fill('{"a":1}').join()}]}`)).toBe(
    'invalid_member: order must be an object.',
  )
})

test('lengths count code points', () => {
  expect(errorOf('{"order":{"currency":"😀😀😀"}}')).toBe('fine')
  expect(errorOf('{"order":{"currency":"😀😀😀😀"}}')).toContain('at most 3 characters')
  expect(errorOf('{"order":{"currency":"\\ud83d\\ude00"}}')).toBe('fine')
})

// Proves reference/conventions#statuses.
test.each([
  ['{"order":{"currency":"HKD",}}', 'see line 1, column 28'],
  ['{\n  "order": {\n    "currency": HKD\n  }\n}', 'see line 3, column 17'],
  [`{'order':{}}`, 'see line 1, column 2'],
  ['{"order":{"currency":"\\q"}}', 'see line 1, column 23'],
  ['{"order":{}}}', 'see line 1, column 13'],
  ['{"order":{"currency":01}}', 'see line 1, column 23'],
  ['{"order":{"currency":"HKD"', 'it ends at line 1, column 27, before it is complete'],
])('the refusal of %j says where it stops being JSON', (body, where) => {
  expect(errorOf(body)).toBe(`malformed_json: The body is not valid JSON: ${where}.`)
})

test('a body that is not UTF-8 is refused', () => {
  const bytes = Buffer.concat([
    Buffer.from('{"order":{"currency":"'),
    Buffer.from([0xff]),
    Buffer.from('"}}'),
  ])
  expect(() => validation.body(bytes)).toThrow('not valid JSON')
})

// Proves reference/conventions#money.
test('an amount keeps every digit that was sent', async () => {
  const server = await startTestServer()
  for (const digits of ['0.1', '150.50', '9007199254740993.01', '1e-7', '123456789012345678901234567890']) {
    const response = await server.send('POST', ORDERS, {
      body: `{"order":{"currency":"HKD","total":${digits}}}`,
    })
    expect(response.text).toContain(`"total":${digits}}`)
  }
})

test('no default is filled in and no value is converted', () => {
  expect(validation.body(Buffer.from('{"order":{"currency":"HKD"}}'))).toEqual({ order: { currency: 'HKD' } })
})

test.each([
  ['with_payment_link=true', 'fine'],
  ['with_payment_link=false', 'fine'],
  ['with_payment_link=1', 'with_payment_link must be true or false.'],
  ['with_payment_link=', 'with_payment_link must be true or false.'],
  ['with_payment_link=true&with_payment_link=true', 'with_payment_link must be sent once.'],
  ['with_link=true', 'with_link is not a known query parameter; known: with_payment_link.'],
  ['__proto__=true', '__proto__ is not a known query parameter; known: with_payment_link.'],
])('the query %s: %s', async (query, message) => {
  const server = await startTestServer()
  const response = await server.send('POST', `${ORDERS}?${query}`, { body: '{"order":{"currency":"HKD"}}' })
  expect(response.status === 200 ? 'fine' : response.body.message).toBe(message)
  if (response.status !== 200) expect(response.body.data.error.param).toBe(query.split('=')[0])
})

test('a path part that is not a valid identifier is 400', async () => {
  const server = await startTestServer()
  for (const id of ['a%00', '%ff', 'x'.repeat(256)]) {
    expect((await server.send('GET', `${ORDERS}/${id}`)).body.data.error.reason).toBe('invalid_path')
  }
  const longest = encodeURIComponent('訂'.repeat(255))
  expect((await server.send('GET', `${ORDERS}/${longest}`)).body.data).toEqual({ id: '訂'.repeat(255) })
})

test('any JSON body is accepted or refused with a 400 that names a member', async () => {
  const server = await startTestServer()
  const member = fc.oneof(fc.json(), fc.constantFrom('1e999', '-0', '{"source":"1"}', '"\\u0000"', '[[]]'))
  const name = fc.constantFrom(
    'currency',
    'total',
    'due_date',
    'notify_url',
    'kind',
    'line_items',
    '__proto__',
    'x',
  )
  const order = fc
    .array(fc.tuple(name, member), { maxLength: 4 })
    .map((members) => `{${members.map(([key, value]) => `"${key}":${value}`).join()}}`)
  await fc.assert(
    fc.asyncProperty(fc.oneof(order, member), async (json) => {
      const response = await server.send('POST', ORDERS, { body: `{"order":${json}}` })
      expect([200, 400]).toContain(response.status)
      if (response.status === 400) expect(response.body.data.error.param).toMatch(/^order/)
    }),
    { numRuns: 300 },
  )
})

test('no body and no query leads to a 500', async () => {
  const server = await startTestServer()
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), fc.webQueryParameters(), async (body, query) => {
      const response = await server.send('POST', `${ORDERS}?${query}`, { body })
      expect(response.status).toBe(400)
    }),
    { numRuns: 200 },
  )
})

test('every value that the compiled check refuses has a problem that can be named', () => {
  const schema = strictObject({
    a: Type.Optional(Nullable(Text({ max: 2 }))),
    b: Type.Optional(Type.Union([Type.Integer(), Text({ max: 3 })])),
    c: Type.Optional(Type.Union([Type.Literal('x'), Type.Literal('y')])),
    d: Type.Optional(Type.Array(Amount(), { minItems: 1, uniqueItems: true })),
  })
  const { body } = compileValidation({ ...echoOrder, body: schema })
  const value = fc.oneof(fc.json(), fc.constantFrom('"x"', '12', '"abcd"', '[1.5]', '[]', 'null'))
  fc.assert(
    fc.property(fc.constantFrom('a', 'b', 'c', 'd', 'e'), value, (name, text) => {
      const json = `{"${name}":${text}}`
      const problem = firstProblem(schema, parseJson(json))
      if (problem === undefined) body(Buffer.from(json))
      else expect(problem.path.startsWith(name)).toBe(true)
    }),
  )
})

test.each([
  ['https://example.com/hook?a=1#b', true],
  ['http://127.0.0.1:9999/x', true],
  ['https://user:secret@example.com/', false],
  ['javascript:alert(1)', false],
  ['https://', false],
  ['https://exa mple.com', false],
  ['https://example.com/\nx', false],
  [`https://example.com/${'x'.repeat(2_048)}`, false],
])('the URL %j: %j', (url, isGood) => {
  expect(firstProblem(HttpUrl(), url) === undefined).toBe(isGood)
})

test.each([
  ['2025-01-31T09:30:00Z', true],
  ['2025-01-31T09:30:00.123456+08:00', true],
  ['2025-01-31', false],
  ['2025-02-30T09:30:00Z', false],
  ['2025-01-31T09:30:00', false],
])('the time %s: %j', (time, isGood) => {
  expect(firstProblem(Timestamp(), time) === undefined).toBe(isGood)
})

test.each([
  ['10', true],
  ['-10.50', true],
  ['1.', false],
  ['.5', false],
  ['1e5', false],
  ['', false],
  [10, false],
])('the decimal string %j: %j', (text, isGood) => {
  expect(firstProblem(DecimalString(), text) === undefined).toBe(isGood)
})

test('29 February is a date in leap years only, and there is no year 0', () => {
  expect(firstProblem(DateOnly(), '2024-02-29')).toBeUndefined()
  expect(firstProblem(DateOnly(), '2025-02-29')).toBeDefined()
  expect(firstProblem(DateOnly(), '0001-01-01')).toBeUndefined()
  expect(firstProblem(DateOnly(), '9999-12-31')).toBeUndefined()
  expect(firstProblem(DateOnly(), '0000-12-31')).toBeDefined()
})
