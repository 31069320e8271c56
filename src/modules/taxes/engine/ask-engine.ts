import { realNowMs } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { ExactNumber, type Json, type JsonObject, parseJson } from '#kernel/json'
import { Money, parseMoney } from '#kernel/money'
import { messageHeaders, signatures, signingKeyOf } from '#platform/security/standard-webhooks'
import type { TaxesContext } from '../context.ts'
import { type CustomerTaxId, TAX_ID_STATES } from '../model/party.ts'
import { engineSecretBinding, type TaxEngine } from '../model/tax-engine.ts'
import { readPercentage } from '../rates/read-rate.ts'
import { findEngine } from '../storage/tax-engine.repository.ts'
import { type EngineTax, type EngineTaxes, type TaxQuestion, withAnswers } from './answers.ts'

const MAX_RESPONSE_BYTES = 1024 * 1024
const MAX_NAME = 255

/** Questions are asked in groups of this size. After a group without any answer the rest are not asked. */
const CONCURRENT = 16

export function withTaxEngine<Result>(
  ctx: TaxesContext,
  businessId: string,
  isPreview: boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  return withAnswers((questions) => askForTaxes(ctx, businessId, isPreview, questions), work)
}

async function askForTaxes(
  ctx: TaxesContext,
  businessId: string,
  isPreview: boolean,
  questions: readonly TaxQuestion[],
): Promise<ReadonlyMap<string, EngineTaxes | null>> {
  const answers = new Map<string, EngineTaxes | null>(questions.map(({ key }) => [key, null]))
  const engine = await ctx.db.transact(businessId, findEngine)
  if (engine === undefined) return answers
  for (let at = 0; at < questions.length; at += CONCURRENT) {
    const asked = questions.slice(at, at + CONCURRENT)
    const replies = await Promise.all(
      asked.map(({ body }) => ask(ctx, businessId, engine, { kind: 'taxes', preview: isPreview, ...body })),
    )
    for (const [index, question] of asked.entries()) {
      answers.set(question.key, readTaxes(replies[index], question))
    }
    if (asked.length === CONCURRENT && replies.every((reply) => reply === undefined)) break
  }
  return answers
}

export async function askForTaxId(
  ctx: TaxesContext,
  businessId: string,
  value: string,
): Promise<CustomerTaxId['state']> {
  const engine = await ctx.db.transact(businessId, findEngine)
  if (engine === undefined) return 'unverified'
  const reply = await ask(ctx, businessId, engine, { kind: 'tax_id', value })
  return TAX_ID_STATES.find((state) => state === reply?.['state']) ?? 'unverified'
}

/** Undefined for silence: no answer in time, another status than 2xx, or no JSON object. Never rejects. */
async function ask(
  ctx: TaxesContext,
  businessId: string,
  engine: TaxEngine,
  message: object,
): Promise<JsonObject | undefined> {
  try {
    const body = Buffer.from(JSON.stringify(message))
    const secret = ctx.keyring.open(engine.sealedSecret, engineSecretBinding(businessId))
    const id = newId('msg')
    const timestamp = Math.floor(realNowMs() / 1_000)
    const response = await ctx.egress.post({
      url: engine.url,
      headers: {
        ...messageHeaders(id, timestamp),
        'webhook-signature': signatures([signingKeyOf(secret)], { id, timestamp, body }),
      },
      body,
      timeoutMs: engine.timeoutMs,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    })
    if (response.kind === 'unanswered' || response.status < 200 || response.status > 299) return undefined
    const reply = parseJson(response.text)
    return isObject(reply) ? reply : undefined
  } catch {
    return undefined
  }
}

function readTaxes(reply: JsonObject | undefined, { currency, lineIds }: TaxQuestion): EngineTaxes | null {
  const lines = reply?.['lines']
  if (!Array.isArray(lines)) return null
  const byId = new Map(
    lines.flatMap((line) => (isObject(line) ? [[line['id'], line['taxes']] as const] : [])),
  )
  const read = lineIds.flatMap((id) => {
    const taxes = byId.get(id)
    if (!Array.isArray(taxes)) return []
    const valid = taxes.flatMap((tax) => readTax(tax, currency) ?? [])
    return valid.length === taxes.length ? [valid] : []
  })
  return read.length === lineIds.length ? read : null
}

function readTax(tax: Json, currency: string): EngineTax | undefined {
  if (!isObject(tax)) return undefined
  const { name, percentage, amount } = tax
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) return undefined
  if (!isNumber(percentage) || !isNumber(amount)) return undefined
  const rate = readPercentage(percentage)
  const money = parseMoney(currency, amount)
  if (typeof rate === 'string' || !(money instanceof Money)) return undefined
  return { name, percentage: rate, amount: money }
}

function isNumber(value: Json | undefined): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber
}

function isObject(value: Json | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  )
}
